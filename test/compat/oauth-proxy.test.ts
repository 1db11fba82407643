import { createSecretRing, seal } from "@latchkey/crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { createAuthClient } from "better-auth/client";
import { afterAll, afterEach, expect, test } from "vitest";
import { serviceConfig } from "../harness/operations.ts";
import { type OpenIdProvider, startOpenIdProvider } from "../harness/providers/openid-provider.ts";
import { newProfile, reachable } from "../harness/social-sign-in.ts";
import { withGateway } from "../harness/start-gateway.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, password } from "../harness/users.ts";
import { createCookieFetch } from "./cookie-fetch.ts";

expectNoLeaks("file");

let openid: OpenIdProvider;
const secret = "a secret that production shares with its previews";
const previewOrigins = ["http://127.0.0.1:*"];
const configOfProduction = { oauthProxy: { enabled: true, previewOrigins, secret } };

// Production knows no provider, and stores nothing about users of previews.
const { system: production, rows: rowsOfProduction } = useSystem({
  stores: "postgres",
  config: { ...serviceConfig, ...configOfProduction },
});
const { system: preview } = useSystem(async () => {
  openid = await startOpenIdProvider();
  const { issuer, client } = openid;
  return {
    stores: "postgres",
    config: {
      ...serviceConfig,
      advanced: reachable,
      socialProviders: { work: { ...client, issuer }, other: { ...client, issuer } },
      account: { accountLinking: { allowDifferentEmails: true } },
      oauthProxy: { enabled: true, productionURL: production.url, secret },
    },
  };
});
afterAll(() => openid.stop());
afterEach(() => {
  openid.who = undefined;
});

const openBrowser = () => {
  const { cookieFetch } = createCookieFetch(preview.origin);
  const client = createAuthClient({
    baseURL: preview.url,
    fetchOptions: { customFetchImpl: cookieFetch },
  });
  /** Opens a page. Returns the one to which it redirects. */
  const open = async (url: string): Promise<string> =>
    (await cookieFetch(url, { redirect: "manual" })).headers.get("location") ?? "";
  const begin = async () => {
    const places = { callbackURL: "/home", errorCallbackURL: "/oops" };
    const { data } = await client.signIn.social({ provider: "work", ...places });
    return data?.url ?? "";
  };
  return { client, open, begin };
};

/** Returns from the provider to production. Returns the page of the preview to which that redirects. */
const comeBack = async ({ begin }: Pick<ReturnType<typeof openBrowser>, "begin">) => {
  const { url } = await openid.visit(await begin());
  expect(url.href).toContain(`${production.url}/callback/work?`);
  const answer = await fetch(url, { redirect: "manual" });
  return answer.headers.get("location") ?? "";
};

test("signs a user in at a preview whose address the provider does not know", async () => {
  const browser = openBrowser();
  openid.who = newProfile();
  const forwarded = await comeBack(browser);
  expect(forwarded).toContain(`${preview.url}/callback/work/oauth-proxy?`);
  expect(new URL(forwarded).searchParams.get("code")).toBeNull();
  expect(await browser.open(forwarded)).toBe("/home");
  const { email } = openid.who;
  expect((await browser.client.getSession()).data?.user).toMatchObject({ email });
  const users = await rowsOfProduction.query("select from identity.user where email = $1", email);
  expect(users).toEqual([]);
});

test("links an account, and takes the former path of the callback", async () => {
  const browser = openBrowser();
  await browser.client.signUp.email({ name: "Ada", email: newEmail(), password });
  openid.who = newProfile();
  const begin = async () =>
    (await browser.client.linkSocial({ provider: "work", callbackURL: "/linked" })).data?.url ?? "";
  const forwarded = new URL(await comeBack({ begin }));
  const callbackURL = `${preview.origin}/linked`;
  const former = new URL(`${preview.url}/oauth-proxy-callback`);
  former.search = forwarded.search;
  former.searchParams.set("callbackURL", callbackURL);
  expect(await browser.open(former.href)).toBe("/linked");
  const { data: accounts } = await browser.client.listAccounts();
  expect(accounts?.map(({ providerId }) => providerId).toSorted()).toEqual(["credential", "work"]);
});

test("an error of the provider ends at the preview", async () => {
  const browser = openBrowser();
  const forwarded = await comeBack(browser);
  expect(await browser.open(forwarded)).toContain(`${preview.url}/error?error=access_denied`);
});

/** Attacks: the response is seen on its way, or its user is made to open that of somebody else. */
test("a forwarded response works once, in the browser that started, and for its provider", async () => {
  const browser = openBrowser();
  openid.who = newProfile();
  const forwarded = await comeBack(browser);
  const errorOf = (place: string) => new URL(place).searchParams.get("error");
  const restart = "please_restart_the_process";
  expect(errorOf(await openBrowser().open(forwarded))).toBe(restart);
  const ofOther = forwarded.replace("/callback/work/", "/callback/other/");
  expect(errorOf(await browser.open(ofOther))).toBe("provider_mismatch");
  expect(await browser.open(forwarded)).toBe("/home");
  expect(errorOf(await browser.open(forwarded))).toBe(restart);
});

test("refuses a response that is missing, not sealed by the secret, too late or of another preview", async () => {
  const { open } = openBrowser();
  const errorOf = async (profile?: string, by = secret) => {
    const url = new URL(`${preview.url}/callback/work/oauth-proxy`);
    if (profile !== undefined) {
      const ring = createSecretRing([by]);
      url.searchParams.set("profile", seal(ring, "oauth proxy response", profile));
    }
    return new URL(await open(url.href)).searchParams.get("error");
  };
  const response = (own: object = {}) => {
    const begun = { preview: preview.url, providerId: "work", state: "s".repeat(32) };
    const expiresAt = Date.now() + 60_000;
    return JSON.stringify({ ...begun, expiresAt, returned: { code: "c" }, ...own });
  };
  expect(await errorOf()).toBe("missing_profile");
  expect(await errorOf(response(), "another secret that nobody shares with it")).toBe(
    "invalid_profile",
  );
  expect(await errorOf(response({ preview: production.url }))).toBe("invalid_profile");
  expect(await errorOf(response({ expiresAt: Date.now() - 1 }))).toBe("payload_expired");
  expect(await errorOf(response())).toBe("please_restart_the_process");
});

test("production forwards to no origin that its options do not name, and has no such callback", async () => {
  const { begin } = openBrowser();
  openid.who = newProfile();
  const { url } = await openid.visit(await begin());
  const config = {
    oauthProxy: { enabled: true, previewOrigins: ["https://*.preview.example.com"], secret },
  };
  await withGateway(production, { config }, async (origin) => {
    const answer = await fetch(url.href.replace(production.origin, origin), { redirect: "manual" });
    expect(answer.headers.get("location")).toContain("error=invalid_callback_url");
  });
  const own = await fetch(`${production.url}/callback/work/oauth-proxy`, { redirect: "manual" });
  expect(own.status).toBe(404);
});
