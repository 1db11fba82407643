import { createAuthClient } from "better-auth/client";
import { twoFactorClient } from "better-auth/client/plugins";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { twoFactorClient as twoFactorClient12 } from "better-auth-1-2/client/plugins";
import { describe, expect, test } from "vitest";
import { representatives } from "../harness/matrix.ts";
import { appOf } from "../harness/second-factor.ts";
import { newEmail, password } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

/** How often the client asked its application for the second factor, and with which methods. */
const redirects: (string[] | undefined)[] = [];

const make17 = (options: Options) =>
  createAuthClient({
    ...options,
    plugins: [
      twoFactorClient({
        onTwoFactorRedirect: ({ twoFactorMethods }) => {
          redirects.push(twoFactorMethods);
        },
      }),
    ],
  });
const makers = {
  "1.7": make17,
  "1.2": (options: Options) =>
    createAuthClient12({
      ...options,
      plugins: [
        // Its types need another version of a library than the present one.
        twoFactorClient12({ onTwoFactorRedirect: () => void redirects.push(undefined) }) as never,
      ],
    }) as unknown as ReturnType<typeof make17>, // the same calls with different types
};

const { system } = useSystem({ stores: "postgres", config: {} });

describe.each(representatives(Object.entries(makers), ([version]) => version === "1.7"))(
  "the second factor of the published client %s",
  (version, make) => {
    const createBrowser = () => {
      const { url, origin } = system;
      const { jar, cookieFetch } = createCookieFetch(origin);
      const client = make({ baseURL: url, fetchOptions: { customFetchImpl: cookieFetch } });
      return { jar, client };
    };

    const signUp = async () => {
      const email = newEmail();
      const { client } = createBrowser();
      expect((await client.signUp.email({ name: "Ada", email, password })).error).toBeNull();
      return { client, email };
    };

    const withApp = async () => {
      const person = await signUp();
      const { data, error } = await person.client.twoFactor.enable({ password });
      expect(error).toBeNull();
      const { totpURI = "", backupCodes = [] } = data as unknown as {
        totpURI?: string;
        backupCodes?: string[];
      };
      const app = appOf(totpURI, backupCodes);
      const verify = () => person.client.twoFactor.verifyTotp({ code: app.codeAt(-1) });
      const first = await verify();
      // The step may have ended on the way, which makes the code too old.
      const verified = first.error?.status === 401 ? await verify() : first;
      expect(verified.data).toMatchObject({
        token: expect.any(String),
        user: { email: person.email },
      });
      return { ...person, app };
    };

    test("signs in by a code of an app, once the application is asked for it", async () => {
      const { email, app } = await withApp();
      const { client, jar } = createBrowser();
      redirects.splice(0);
      const { data, error } = await client.signIn.email({ email, password, callbackURL: "/home" });
      expect([error, data]).toEqual([
        null,
        { twoFactorRedirect: true, twoFactorMethods: ["totp"] },
      ]);
      expect(redirects).toEqual([version === "1.7" ? ["totp"] : undefined]);
      expect((await client.getSession()).data).toBeNull();
      expect(jar.has("auth.session_token")).toBe(false);
      const wrong = await client.twoFactor.verifyTotp({ code: "" });
      expect(wrong.error).toMatchObject({
        status: 401,
        code: "INVALID_CODE",
        message: "Invalid code",
      });
      const passed = await client.twoFactor.verifyTotp({ code: app.codeAt(0), trustDevice: true });
      expect(passed.error).toBeNull();
      expect((await client.getSession()).data).toMatchObject({
        user: { email, twoFactorEnabled: true },
      });
      await client.signOut();
      const again = await client.signIn.email({ email, password });
      expect(again.data).toMatchObject({ token: expect.any(String) });
    });

    test("signs in by a backup code", async () => {
      const { email, app } = await withApp();
      const { client } = createBrowser();
      await client.signIn.email({ email, password });
      const [code = ""] = app.backupCodes;
      const { data } = await client.twoFactor.verifyBackupCode({ code });
      expect(data).toMatchObject({ user: { email } });
      const elsewhere = createBrowser();
      await elsewhere.client.signIn.email({ email, password });
      const used = await elsewhere.client.twoFactor.verifyBackupCode({ code });
      expect(used.error).toMatchObject({ status: 401, message: "Invalid backup code" });
    });

    test("signs in by a mailed code", async () => {
      const { client, email } = await signUp();
      const codeOf = async () => {
        const { text } = await system.smtp.waitForMail(
          (mail) => mail.to.includes(email) && /\b\d{6}\b/.test(mail.text),
        );
        return /\b\d{6}\b/.exec(text)?.[0] ?? "";
      };
      expect((await client.twoFactor.sendOtp()).data).toEqual({ status: true });
      const on = await client.twoFactor.verifyOtp({ code: await codeOf() });
      expect(on.error).toBeNull();
      system.smtp.mails.splice(0);
      const elsewhere = createBrowser().client;
      await elsewhere.signIn.email({ email, password });
      expect((await elsewhere.twoFactor.sendOtp()).data).toEqual({ status: true });
      const passed = await elsewhere.twoFactor.verifyOtp({ code: await codeOf() });
      expect(passed.data).toMatchObject({ user: { email } });
    });

    test("shows the URI again, replaces the backup codes and turns the second factor off", async () => {
      const { client, email } = await withApp();
      const shown = await client.twoFactor.getTotpUri({ password });
      expect(shown.data?.totpURI).toContain("otpauth://totp/");
      const generated = await client.twoFactor.generateBackupCodes({ password });
      expect(generated.data).toMatchObject({ status: true });
      expect(generated.data?.backupCodes).toHaveLength(10);
      const wrong = await client.twoFactor.disable({ password: "wrong horse battery" });
      expect(wrong.error).toMatchObject({ status: 400, code: "INVALID_PASSWORD" });
      expect((await client.twoFactor.disable({ password })).data).toEqual({ status: true });
      const { data } = await createBrowser().client.signIn.email({ email, password });
      expect(data).toMatchObject({ token: expect.any(String) });
    });
  },
);
