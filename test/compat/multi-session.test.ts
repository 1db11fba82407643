import { createAuthClient } from "better-auth/client";
import { lastLoginMethodClient, multiSessionClient } from "better-auth/client/plugins";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { multiSessionClient as multiSessionClient12 } from "better-auth-1-2/client/plugins";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newEmail, password } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

const make17 = (options: Options) =>
  createAuthClient({ ...options, plugins: [multiSessionClient(), lastLoginMethodClient()] });
const makers = {
  "1.7": make17,
  "1.2": (options: Options) =>
    createAuthClient12({ ...options, plugins: [multiSessionClient12()] }) as unknown as ReturnType<
      typeof make17
    >, // the same calls with different types
};

const { system } = useSystem({
  stores: "postgres",
  config: {
    multiSession: { enabled: true, maximumSessions: 2 },
    lastLoginMethod: { enabled: true },
  },
});

const createBrowser = (make: typeof make17) => {
  const { cookieFetch, jar } = createCookieFetch(system.origin);
  return {
    client: make({ baseURL: system.url, fetchOptions: { customFetchImpl: cookieFetch } }),
    jar,
  };
};

describe.each(Object.entries(makers))("several users, by the published client %s", (_, make) => {
  test("are listed, switched and signed out", async () => {
    const { client } = createBrowser(make);
    const [ada, bob] = [newEmail(), newEmail()];
    await client.signUp.email({ name: "Ada", email: ada, password });
    await client.signUp.email({ name: "Bob", email: bob, password });
    const third = await client.signUp.email({ name: "Cy", email: newEmail(), password });
    expect(third.error).toMatchObject({ status: 403, code: "TOO_MANY_SESSIONS" });
    const { data } = await client.multiSession.listDeviceSessions({});
    expect(data?.map(({ user }) => user.email)).toEqual([bob, ada]);
    const sessionToken = data?.[1]?.session.token ?? "";
    const switched = await client.multiSession.setActive({ sessionToken });
    expect(switched.data).toMatchObject({ user: { email: ada } });
    expect((await client.getSession()).data).toMatchObject({ user: { email: ada } });
    const revoked = await client.multiSession.revoke({ sessionToken });
    expect(revoked.data).toEqual({ status: true });
    expect((await client.getSession()).data).toMatchObject({ user: { email: bob } });
    const again = await client.multiSession.setActive({ sessionToken });
    expect(again.error).toMatchObject({ status: 401, code: "INVALID_SESSION_TOKEN" });
    await client.signOut();
    expect((await client.multiSession.listDeviceSessions({})).data).toEqual([]);
  });
});

describe("the way of the last sign-in, by the published client 1.7", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("is read from the cookie, and outlives the session", async () => {
    const { client, jar } = createBrowser(make17);
    await client.signUp.email({ name: "Ada", email: newEmail(), password });
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`);
    vi.stubGlobal("document", { cookie: cookies.join("; ") });
    expect(client.getLastUsedLoginMethod()).toBe("email");
    expect(client.isLastUsedLoginMethod("email")).toBe(true);
    expect(client.isLastUsedLoginMethod("google")).toBe(false);
    await client.signOut();
    expect(jar.get("better-auth.last_used_login_method")).toBe("email");
  });
});
