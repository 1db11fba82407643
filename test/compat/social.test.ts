import { createAuthClient } from "better-auth/client";
import { createAuthClient as createAuthClient12 } from "better-auth-1-2/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type OpenIdAccount,
  type OpenIdProvider,
  startOpenIdProvider,
} from "../harness/providers/openid-provider.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { createCookieFetch } from "./cookie-fetch.ts";
import { newestOnStores } from "./versions-on-stores.ts";

const password = "correct horse battery";
interface Options {
  baseURL: string;
  fetchOptions: { customFetchImpl: typeof fetch };
}

const make12 = (options: Options) => createAuthClient12(options);
type Client = ReturnType<typeof make12>;
const makers = {
  "1.2": make12,
  "1.7": (options: Options) => createAuthClient(options) as unknown as Client, // the same calls with different types
};
const worlds = newestOnStores(makers);

const systems = new Map<string, System>();
let openid: OpenIdProvider;
beforeAll(async () => {
  openid = await startOpenIdProvider();
  const { issuer, client } = openid;
  for (const stores of new Set(worlds.map((world) => world.stores))) {
    const system = await startSystem({
      stores,
      config: {
        socialProviders: { work: { ...client, issuer } },
        advanced: { outbound: { privateHosts: ["127.0.0.1"] } },
      },
    });
    systems.set(stores, system);
  }
});
afterAll(async () => {
  for (const system of systems.values()) await system.stop();
  await openid?.stop();
});
afterEach(() => {
  openid.who = undefined;
});

let count = 0;

describe.each(worlds)(
  "the published client $version at a provider, sessions in $stores",
  ({ stores, version, make }) => {
    const createBrowser = () => {
      const { url, origin } = systems.get(stores)!; // started before any test
      const { jar, cookieFetch } = createCookieFetch(origin);
      const client = make({ baseURL: url, fetchOptions: { customFetchImpl: cookieFetch } });
      /** Follows a sign-in or linking to the provider and back. Returns the address where it ends. */
      const travel = async (begun: { data: unknown; error: unknown }): Promise<string> => {
        expect(begun.error).toBeNull();
        const { url: there, redirect } = begun.data as { url: string; redirect: boolean };
        expect(redirect).toBe(true);
        const back = await openid.visit(there);
        const ended = await cookieFetch(back.url, { redirect: "manual" });
        expect(ended.status).toBe(302);
        return ended.headers.get("location") ?? "";
      };
      return { client, jar, travel };
    };
    const newAccount = (own: Partial<OpenIdAccount> = {}): OpenIdAccount => {
      const sub = `p-${version.replace(".", "-")}-${stores}-${(count += 1)}`;
      const email = `${sub}@example.com`;
      return { sub, email, email_verified: true, name: "Ann", ...own };
    };
    const begin = (client: Client, own: object = {}) =>
      client.signIn.social({
        provider: "work",
        callbackURL: "/home",
        errorCallbackURL: "/oops",
        newUserCallbackURL: "/welcome",
        ...own,
      });
    const beginLink = (client: Client) =>
      client.linkSocial({ provider: "work", callbackURL: "/linked" });

    /** Creates a user who signed up by the provider. */
    const arrive = async () => {
      const browser = createBrowser();
      const account = newAccount();
      openid.who = account;
      expect(await browser.travel(await begin(browser.client))).toBe("/welcome");
      return { ...browser, account };
    };

    /** Creates a user with a password, whose address is that of an account at the provider. */
    const register = async (account: OpenIdAccount) => {
      const browser = createBrowser();
      const { email = "" } = account;
      const { error } = await browser.client.signUp.email({ name: "Ann", email, password });
      expect(error).toBeNull();
      openid.who = account;
      return browser;
    };

    test("signs up by a provider, and signs in the next time", async () => {
      const { client, jar, travel, account } = await arrive();
      expect((await client.getSession()).data?.user).toMatchObject({
        email: account.email,
        emailVerified: true,
        name: "Ann",
      });
      expect([...jar.keys()]).toEqual(["auth.session_token"]);
      await client.signOut();
      expect(await travel(await begin(client))).toBe("/home");
      expect((await client.getSession()).data?.user.email).toBe(account.email);
    });

    test("does not redirect by itself if redirects are disabled", async () => {
      const { client } = createBrowser();
      const { data } = await begin(client, { disableRedirect: true });
      expect(data).toMatchObject({ redirect: false });
      expect(data?.url).toContain(openid.issuer);
    });

    test("links an account, lists it, unlinks it, and keeps the last sign-in method", async () => {
      const account = newAccount();
      const { client, travel } = await register(account);
      expect(await travel(await beginLink(client))).toBe("/linked");
      expect((await client.listAccounts()).data).toMatchObject([
        { provider: "credential" },
        { provider: "work", accountId: account.sub, scopes: ["openid", "profile", "email"] },
      ]);
      const other = createBrowser();
      expect(await other.travel(await begin(other.client))).toBe("/home");
      expect((await other.client.getSession()).data?.user.email).toBe(account.email);
      const named = { providerId: "work", accountId: account.sub };
      expect((await client.unlinkAccount(named)).data).toEqual({ status: true });
      expect((await client.listAccounts()).data).toHaveLength(1);
      expect((await client.unlinkAccount({ providerId: "credential" })).error).toMatchObject({
        status: 400,
        code: "YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT",
      });
    });

    test("gets, refreshes and uses the tokens of an account", async () => {
      const { client, account } = await arrive();
      const id = (await client.listAccounts()).data?.[0]?.id ?? "";
      const requestTokens = async (path: string, accountId: string) => {
        const body = { providerId: "work", accountId };
        const options = { method: "POST", body } as const;
        return (await client.$fetch<Record<string, unknown>>(path, options)).data;
      };
      const got = await client.getAccessToken({ providerId: "work", accountId: id });
      expect(got.error).toBeNull();
      const refreshed = await client.refreshToken({ providerId: "work", accountId: id });
      expect(refreshed.error).toBeNull();
      const { accessToken, refreshToken } = refreshed.data as Record<string, unknown>;
      expect(accessToken).toEqual(expect.any(String));
      expect(refreshToken).toEqual(expect.any(String));
      expect(accessToken).not.toBe(got.data?.accessToken);
      // Both kinds of id identify the account.
      for (const accountId of [id, account.sub])
        expect(await requestTokens("/get-access-token", accountId)).toMatchObject({ accessToken });
    });

    // A client gets with a query and posts with a body.
    test("reads the provider's data about an account", async () => {
      const { client, account } = await arrive();
      const info = await client.accountInfo({ accountId: account.sub });
      expect(info.error).toBeNull();
      expect(info.data).toMatchObject({
        user: { id: account.sub, name: "Ann", email: account.email, emailVerified: true },
        data: { sub: account.sub, email: account.email },
      });
      const request = { method: "GET", query: { accountId: account.sub } } as const;
      expect((await client.$fetch("/account-info", request)).data).toEqual(info.data);
    });

    test("an error leads to the page that was chosen for it", async () => {
      const { client, travel } = createBrowser();
      openid.who = newAccount();
      delete openid.who.email;
      expect(await travel(await begin(client))).toBe("/oops?error=email_not_found");
      expect((await client.getSession()).data).toBeNull();
    });

    /** Attack: registering a victim's address first, to gain access to what its owner links later. */
    test("an unverified address is linked to no user who signs in", async () => {
      const account = newAccount();
      await register(account);
      const { client, travel } = createBrowser();
      expect(await travel(await begin(client))).toBe("/oops?error=account_not_linked");
      expect((await client.getSession()).data).toBeNull();
    });

    test("a sign-in that is denied at the provider returns with the provider's error", async () => {
      const { client, travel } = createBrowser();
      const ended = new URL(await travel(await begin(client)), systems.get(stores)!.origin);
      expect(ended.pathname).toMatch(/\/error$/);
      expect(ended.searchParams.get("error")).toBe("access_denied");
      expect(ended.searchParams.get("error_description")).toBe("no & <no>");
    });

    test("reports an unknown provider as such", async () => {
      const { client } = createBrowser();
      const begun = await client.signIn.social({ provider: "google" });
      expect(begun.error).toMatchObject({ status: 404, code: "PROVIDER_NOT_FOUND" });
    });
  },
);
