import { createAuthClient } from "better-auth/client";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSystem, type System } from "../harness/start-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";
import { versionsOnStores } from "./versions-on-stores.ts";

const password = "correct horse battery";

const makers = {
  "1.7": (options: Options) => createAuthClient(options),
  "1.2": (options: Options) => createAuthClient12(options) as unknown as Client, // the same calls with different types
};
type Client = ReturnType<typeof createAuthClient>;
interface Options {
  baseURL: string;
  fetchOptions: {
    customFetchImpl?: typeof fetch;
    auth?: { type: "Bearer"; token: () => string };
  };
}

const worlds = versionsOnStores(makers);

/** Returns an error as applications read it. */
const shown = ({ data, error }: { data: unknown; error: unknown }) => {
  const { status, code, message } = (error ?? {}) as Record<string, unknown>;
  return { data, status, code, message };
};

const systems = new Map<string, System>();
beforeAll(async () => {
  for (const stores of ["postgres", "redis"] as const)
    systems.set(stores, await startSystem({ stores }));
});
afterAll(async () => {
  for (const system of systems.values()) await system.stop();
});

describe.each(worlds)(
  "the published client $version, sessions in $stores",
  ({ stores, version, make }) => {
    let count = 0;
    const stackOf = () => systems.get(stores)!; // started before any test
    const newEmail = () => `person-${version}-${++count}@example.com`;

    const createBrowser = () => {
      const { url, origin } = stackOf();
      const { jar, cookieFetch } = createCookieFetch(origin);
      return {
        jar,
        cookieFetch,
        client: make({ baseURL: url, fetchOptions: { customFetchImpl: cookieFetch } }),
      };
    };

    /** Creates an app without cookies, which keeps the token from `set-auth-token`. */
    const createApp = () => {
      let token = "";
      const client = make({
        baseURL: stackOf().url,
        fetchOptions: {
          auth: { type: "Bearer", token: () => token },
        },
      });
      const keep = {
        onSuccess: ({ response }: { response: Response }) => {
          token = response.headers.get("set-auth-token") ?? token;
        },
      };
      return { client, keep, token: () => token };
    };

    const signUp = async (client: Client, callOptions: object = {}) => {
      const email = newEmail();
      const { data, error } = await client.signUp.email(
        { name: "Ada", email, password },
        callOptions,
      );
      expect(error).toBeNull();
      return { email, data: data! };
    };

    test("signs up, which signs in, and reads its session with dates", async () => {
      const { client, jar } = createBrowser();
      const { email, data } = await signUp(client);
      expect(data.user).toMatchObject({ name: "Ada", email, emailVerified: false, image: null });
      expect([...jar.keys()]).toEqual(["auth.session_token"]);
      const { data: seen } = await client.getSession();
      expect(seen?.user).toMatchObject({
        ...data.user,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      });
      expect(seen?.session).toMatchObject({ token: data.token, userId: data.user.id });
      expect(seen?.session.expiresAt).toBeInstanceOf(Date);
    });

    test("verifies an address by the link in the mail", async () => {
      const { client, cookieFetch } = createBrowser();
      const { email } = await signUp(client);
      const answer = await client.sendVerificationEmail({ email, callbackURL: "/welcome" });
      expect(answer.data).toEqual({ status: true });
      const { links } = await stackOf().smtp.waitForMail(email);
      // A mailed link acts immediately in the browser that requested it. In any other browser it first shows a page.
      const opened = await cookieFetch(links[0]!, { redirect: "manual" });
      expect([opened.status, opened.headers.get("location")]).toEqual([302, "/welcome"]);
      expect((await client.getSession()).data?.user.emailVerified).toBe(true);
      const token = new URL(links[0]!).searchParams.get("token") ?? "";
      expect((await client.verifyEmail({ query: { token } })).data).toMatchObject({ status: true });
      expect(shown(await client.sendVerificationEmail({ email }))).toMatchObject({
        status: 400,
        code: "YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL",
      });
    });

    test("signs in and out", async () => {
      const { email } = await signUp(createBrowser().client);
      const { client, jar } = createBrowser();
      expect((await client.getSession()).data).toBeNull();
      const { data } = await client.signIn.email({ email, password });
      expect(data).toMatchObject({ redirect: false, user: { email } });
      expect((await client.getSession()).data?.session.token).toBe(data?.token);
      expect((await client.signOut()).data).toEqual({ success: true });
      expect(jar.size).toBe(0);
      expect((await client.getSession()).data).toBeNull();
      expect((await client.signOut()).data).toEqual({ success: true });
    });

    test("gets the redirect target after signing in", async () => {
      const { email } = await signUp(createBrowser().client);
      const { data } = await createBrowser().client.signIn.email({
        email,
        password,
        callbackURL: "/home",
      });
      expect(data).toMatchObject({ redirect: true, url: "/home" });
    });

    test("signs in until the browser is closed", async () => {
      const { email } = await signUp(createBrowser().client);
      const { client, jar } = createBrowser();
      expect((await client.signIn.email({ email, password, rememberMe: false })).error).toBeNull();
      expect([...jar.keys()]).toEqual(["auth.session_token", "auth.dont_remember"]);
      const { data } = await client.getSession();
      const lifetime =
        (data?.session.expiresAt.getTime() ?? 0) - (data?.session.createdAt.getTime() ?? 0);
      expect(lifetime).toBe(86_400_000);
      await client.signOut();
      expect(jar.size).toBe(0);
    });

    test("lists its sessions and ends one, all others, and all", async () => {
      const phone = createBrowser();
      const { email, data } = await signUp(phone.client);
      const laptop = createBrowser();
      const tablet = createBrowser();
      for (const { client } of [laptop, tablet]) await client.signIn.email({ email, password });
      const listed = (await laptop.client.listSessions()).data ?? [];
      expect(listed).toHaveLength(3);
      expect(listed.map(({ token }) => token)).toContain(data.token);

      const ended = await laptop.client.revokeSession({ token: data.token ?? "" });
      expect(ended.data).toEqual({ status: true });
      expect((await phone.client.getSession()).data).toBeNull();
      expect((await laptop.client.revokeOtherSessions()).data).toEqual({ status: true });
      expect((await tablet.client.getSession()).data).toBeNull();
      expect((await laptop.client.listSessions()).data).toHaveLength(1);
      expect((await laptop.client.revokeSessions()).data).toEqual({ status: true });
      expect((await laptop.client.getSession()).data).toBeNull();
    });

    test("does all of it without cookies, with the token from set-auth-token", async () => {
      const app = createApp();
      const { email, data } = await signUp(app.client, app.keep);
      expect(app.token()).toMatch(new RegExp(`^${data.token}\\.`));
      expect((await app.client.getSession()).data?.user.email).toBe(email);
      const other = createApp();
      await other.client.signIn.email({ email, password }, other.keep);
      expect((await app.client.listSessions()).data).toHaveLength(2);
      expect((await app.client.revokeOtherSessions()).data).toEqual({ status: true });
      expect((await other.client.getSession()).data).toBeNull();
      expect((await app.client.sendVerificationEmail({ email })).data).toEqual({ status: true });
      expect((await app.client.signOut()).data).toEqual({ success: true });
      expect((await app.client.getSession()).data).toBeNull();
      expect(shown(await app.client.listSessions())).toMatchObject({
        status: 401,
        code: "UNAUTHORIZED",
      });
    });

    describe("reads the reason from an error", () => {
      let email = "";
      beforeAll(async () => {
        email = (await signUp(createBrowser().client)).email;
      });

      test.each<
        [
          string,
          (client: Client, email: string) => Promise<{ data: unknown; error: unknown }>,
          object,
        ]
      >([
        [
          "a wrong password",
          (client, email) => client.signIn.email({ email, password: "wrong password" }),
          { status: 401, code: "INVALID_EMAIL_OR_PASSWORD", message: "Invalid email or password" },
        ],
        [
          "an unknown user",
          (client) => client.signIn.email({ email: "nobody@example.com", password }),
          { status: 401, code: "INVALID_EMAIL_OR_PASSWORD", message: "Invalid email or password" },
        ],
        [
          "an invalid address",
          (client) => client.signIn.email({ email: "nobody", password }),
          { status: 400, code: "INVALID_EMAIL", message: "Invalid email" },
        ],
        [
          "a taken address",
          (client, email) =>
            client.signUp.email({ name: "A", email: email.toUpperCase(), password }),
          { status: 422, code: "USER_ALREADY_EXISTS", message: "User already exists" },
        ],
        [
          "a short password",
          (client) => client.signUp.email({ name: "A", email: newEmail(), password: "short" }),
          { status: 400, code: "PASSWORD_TOO_SHORT", message: "Password too short" },
        ],
        [
          "a long password",
          (client) =>
            client.signUp.email({ name: "A", email: newEmail(), password: "x".repeat(129) }),
          { status: 400, code: "PASSWORD_TOO_LONG", message: "Password too long" },
        ],
        [
          "a foreign callback",
          (client, email) =>
            client.signIn.email({ email, password, callbackURL: "https://evil.com" }),
          { status: 403, code: "INVALID_CALLBACKURL", message: "Invalid callbackURL" },
        ],
        [
          "an unknown token",
          (client) => client.verifyEmail({ query: { token: "x" } }),
          { status: 401, code: "INVALID_TOKEN", message: "invalid_token" },
        ],
        [
          "no session",
          (client) => client.listSessions(),
          { status: 401, code: "UNAUTHORIZED", message: "Unauthorized" },
        ],
      ])("%s", async (_case, act, expected) => {
        const seen = shown(await act(createBrowser().client, email));
        expect(seen).toEqual({ data: null, ...expected });
      });

      test("ending a session that does not exist", async () => {
        const { client } = createBrowser();
        await signUp(client);
        expect(shown(await client.revokeSession({ token: "x" }))).toMatchObject({
          status: 400,
          code: "SESSION_NOT_FOUND",
        });
      });

      test("ending a session of another user", async () => {
        const { data } = await signUp(createBrowser().client);
        const { client } = createBrowser();
        await signUp(client);
        expect(shown(await client.revokeSession({ token: data.token ?? "" }))).toMatchObject({
          status: 401,
        });
      });
    });
  },
);
