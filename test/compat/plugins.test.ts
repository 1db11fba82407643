import { createAuthClient } from "better-auth/client";
import { adminClient, jwtClient, usernameClient } from "better-auth/client/plugins";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import {
  adminClient as adminClient12,
  jwtClient as jwtClient12,
  usernameClient as usernameClient12,
} from "better-auth-1-2/client/plugins";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { until } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRows, type Rows } from "../harness/rows.ts";
import { replicaCount } from "../harness/configure-system.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";
import { versionsOnStores } from "./versions-on-stores.ts";

const password = "correct horse battery";
interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

const make17 = (options: Options) =>
  createAuthClient({ ...options, plugins: [usernameClient(), jwtClient(), adminClient()] });
type Client = ReturnType<typeof make17>;
const makers = {
  "1.7": make17,
  "1.2": (options: Options) =>
    createAuthClient12({
      ...options,
      plugins: [usernameClient12(), jwtClient12(), adminClient12()],
    }) as unknown as Client, // the same calls with different types
};

const worlds = versionsOnStores(makers);

const systems = new Map<string, { system: System; rows: Rows }>();
beforeAll(async () => {
  for (const stores of ["postgres", "redis"] as const) {
    const system = await startSystem({
      stores,
      config: {
        user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
        session: { cookieCache: { enabled: true } },
      },
    });
    systems.set(stores, { system, rows: openRows(system) });
  }
});
afterAll(async () => {
  for (const { system, rows } of systems.values()) {
    await rows.close();
    await system.stop();
  }
});

let count = 0;

/** Waits, because a gateway other than the one that ended the session is notified a moment later. */
const untilSignedOut = async (client: {
  getSession(): Promise<{ data: unknown; error: unknown }>;
}): Promise<void> => {
  const isSignedOut = async () => {
    const { data, error } = await client.getSession();
    return data === null && error === null;
  };
  if (replicaCount === 1) expect(await isSignedOut()).toBe(true);
  else await until(isSignedOut);
};

describe.each(worlds)(
  "the plugins of the published client $version, sessions in $stores",
  ({ stores, version, make }) => {
    const world = () => systems.get(stores)!; // started before any test
    const createBrowser = () => {
      const { url, origin } = world().system;
      const { jar, cookieFetch } = createCookieFetch(origin);
      return {
        jar,
        client: make({ baseURL: url, fetchOptions: { customFetchImpl: cookieFetch } }),
      };
    };
    const newName = () => `person_${version.replace(".", "_")}_${stores}_${(count += 1)}`;

    const signUp = async (client: Client, own: object = {}) => {
      const email = `${newName()}@example.com`;
      const { data, error } = await client.signUp.email({ name: "Ada", email, password, ...own });
      expect(error).toBeNull();
      return { email, id: data!.user.id };
    };

    const signUpAdmin = async () => {
      const { client, jar } = createBrowser();
      const { email, id } = await signUp(client);
      await world().rows.query(`update identity."user" set role = 'admin' where id = $1`, id);
      await client.signOut();
      expect((await client.signIn.email({ email, password })).error).toBeNull();
      return { client, jar, id };
    };

    describe("username", () => {
      test("signs up with a username and signs in by it, ignoring case", async () => {
        const username = `Ada_${newName()}`.slice(0, 30);
        await signUp(createBrowser().client, { username });
        const { client } = createBrowser();
        const signedIn = await client.signIn.username({
          username: username.toUpperCase(),
          password,
        });
        expect(signedIn.error).toBeNull();
        const { data } = await client.getSession();
        expect(data?.user).toMatchObject({
          username: username.toLowerCase(),
          displayUsername: username,
        });
      });

      test("a wrong password and an unknown name get the same error", async () => {
        const username = newName().slice(0, 30);
        await signUp(createBrowser().client, { username });
        const { client } = createBrowser();
        for (const credentials of [
          { username, password: "another password" },
          { username: "nobody_at_all", password },
        ])
          expect((await client.signIn.username(credentials)).error).toMatchObject({
            status: 401,
            code: "INVALID_USERNAME_OR_PASSWORD",
          });
      });

      test("a taken name is refused, the user's own is kept", async () => {
        const username = newName().slice(0, 30);
        const { client } = createBrowser();
        await signUp(client, { username });
        const other = createBrowser().client;
        await signUp(other);
        expect((await other.updateUser({ username })).error).toMatchObject({ status: 422 });
        expect((await client.updateUser({ username, name: "Ada L." })).error).toBeNull();
      });

      test("reports whether a name is available", async () => {
        const username = newName().slice(0, 30);
        const { client } = createBrowser();
        const request = { method: "POST", body: { username } } as const;
        // The older client has no call for it.
        const checkAvailability = async () =>
          version === "1.7"
            ? (await client.isUsernameAvailable({ username })).data
            : (await client.$fetch("/is-username-available", request)).data;
        expect(await checkAvailability()).toEqual({ available: true });
        await signUp(client, { username });
        expect(await checkAvailability()).toEqual({ available: false });
      });
    });

    test("jwt: returns a token that verifies against the published keys", async () => {
      const { client } = createBrowser();
      const { id, email } = await signUp(client);
      const { url, origin } = world().system;
      const { data } = await client.$fetch<{ token: string }>("/token");
      const keys = createRemoteJWKSet(new URL(`${url}/jwks`));
      const { payload } = await jwtVerify(data!.token, keys, { issuer: origin, audience: origin });
      expect(payload).toMatchObject({ sub: id, email });
    });

    test("jwt: get-session carries a token for pages to read", async () => {
      const { client } = createBrowser();
      await signUp(client);
      let header = "";
      await client.getSession({
        query: { disableCookieCache: true },
        fetchOptions: {
          onSuccess: ({ response }: { response: Response }) => {
            header = response.headers.get("set-auth-jwt") ?? "";
          },
        },
      });
      expect(header.split(".")).toHaveLength(3);
    });

    describe("admin", () => {
      test("creates, lists, promotes, bans and removes users", async () => {
        const { client } = await signUpAdmin();
        const email = `${newName()}@example.com`;
        const created = await client.admin.createUser({
          email,
          password,
          name: "Grace",
          role: "user",
        });
        const userId = created.data!.user.id;
        const listed = await client.admin.listUsers({
          query: { searchField: "email", searchValue: email },
        });
        expect(listed.data).toMatchObject({ users: [{ id: userId, email }], total: 1 });
        expect((await client.admin.setRole({ userId, role: "admin" })).data).toMatchObject({
          user: { role: "admin" },
        });
        const grace = createBrowser().client;
        expect((await grace.signIn.email({ email, password })).error).toBeNull();
        expect((await client.admin.banUser({ userId, banReason: "test" })).data).toMatchObject({
          user: { banned: true, banReason: "test" },
        });
        await untilSignedOut(grace);
        expect((await grace.signIn.email({ email, password })).error).toMatchObject({
          status: 403,
          code: "BANNED_USER",
        });
        expect((await client.admin.unbanUser({ userId })).error).toBeNull();
        expect((await grace.signIn.email({ email, password })).error).toBeNull();
        expect((await client.admin.removeUser({ userId })).data).toEqual({ success: true });
        await untilSignedOut(grace);
      });

      test("impersonates a user and returns", async () => {
        const { client, id } = await signUpAdmin();
        const target = await signUp(createBrowser().client);
        const started = await client.admin.impersonateUser({ userId: target.id });
        expect(started.data).toMatchObject({ user: { id: target.id } });
        expect((await client.getSession()).data).toMatchObject({
          user: { id: target.id },
          session: { impersonatedBy: id },
        });
        expect((await client.admin.stopImpersonating()).error).toBeNull();
        expect((await client.getSession()).data?.user.id).toBe(id);
      });

      test("lists and ends sessions of a user, and sets the user's password", async () => {
        const { client } = await signUpAdmin();
        const browser = createBrowser().client;
        const { id: userId, email } = await signUp(browser);
        const listed = await client.admin.listUserSessions({ userId });
        expect(listed.data?.sessions).toHaveLength(1);
        const [session] = listed.data!.sessions;
        await client.admin.revokeUserSession({ sessionToken: session!.token });
        await untilSignedOut(browser);
        expect((await browser.signIn.email({ email, password })).error).toBeNull();
        await client.admin.revokeUserSessions({ userId });
        await untilSignedOut(browser);
        const newPassword = "another horse battery";
        expect((await client.admin.setUserPassword({ userId, newPassword })).error).toBeNull();
        expect((await browser.signIn.email({ email, password })).error?.status).toBe(401);
        expect((await browser.signIn.email({ email, password: newPassword })).error).toBeNull();
      });

      test("refuses a user without the role, and reports the permissions of roles", async () => {
        const { client } = createBrowser();
        const { id: userId } = await signUp(client);
        expect((await client.admin.listUsers({ query: {} })).error).toMatchObject({
          status: 403,
          code: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS",
        });
        expect((await client.admin.banUser({ userId })).error?.status).toBe(403);
        const query = { permissions: { user: ["list" as const] } };
        expect((await client.admin.hasPermission(query)).data).toMatchObject({ success: false });
        const admin = await signUpAdmin();
        expect((await admin.client.admin.hasPermission(query)).data).toMatchObject({
          success: true,
        });
      });
    });

    test("requests a reset of a password, resets it and changes it", async () => {
      const { client } = createBrowser();
      const { email } = await signUp(client);
      const redirectTo = "/reset";
      const answer =
        version === "1.7"
          ? await client.requestPasswordReset({ email, redirectTo })
          : await client.$fetch("/forget-password", {
              method: "POST",
              body: { email, redirectTo },
            });
      expect(answer.data).toMatchObject({ status: true });
      const { links } = await world().system.smtp.waitForMail(email);
      const opened = await fetch(links[0]!, { redirect: "manual" });
      const token = new URL(opened.headers.get("location") ?? "").searchParams.get("token") ?? "";
      const newPassword = "another horse battery";
      expect((await client.resetPassword({ newPassword, token })).data).toEqual({ status: true });
      expect((await client.resetPassword({ newPassword, token })).error?.code).toBe(
        "INVALID_TOKEN",
      );
      const browser = createBrowser().client;
      expect((await browser.signIn.email({ email, password: newPassword })).error).toBeNull();
      const changed = await browser.changePassword({
        currentPassword: newPassword,
        newPassword: password,
        revokeOtherSessions: true,
      });
      expect(changed.data?.token).toEqual(expect.any(String));
      expect((await browser.getSession()).data?.session.token).toBe(changed.data?.token);
      const verify = (entered: string) =>
        browser.$fetch("/verify-password", { method: "POST", body: { password: entered } });
      expect((await verify(password)).data).toEqual({ status: true });
      expect((await verify("a guess")).error).toMatchObject({ code: "INVALID_PASSWORD" });
      await untilSignedOut(client);
    });

    test("changes its profile and address, lists its accounts and deletes itself", async () => {
      const { client } = createBrowser();
      await signUp(client);
      expect((await client.updateUser({ name: "Ada L.", image: "/a.png" })).error).toBeNull();
      expect((await client.getSession()).data?.user).toMatchObject({
        name: "Ada L.",
        image: "/a.png",
      });
      const newEmail = `${newName()}@example.com`;
      expect((await client.changeEmail({ newEmail })).data).toMatchObject({ status: true });
      expect((await client.getSession()).data?.user.email).toBe(newEmail);
      expect((await client.listAccounts()).data).toHaveLength(1);
      expect((await client.deleteUser({ password })).data).toMatchObject({ success: true });
      const mails = await world().system.smtp.waitForMail(newEmail);
      expect(mails.links.length).toBeGreaterThan(0);
    });
  },
);
