import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  respondWith,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  beginSignIn,
  callCallback,
  credentials,
  newProfile,
  reachable,
  signInWith,
  testGoogle,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, readSession } from "../harness/users.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
let system: System;
let rows: Rows;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  const { endpoints } = testProvider(oauth);
  system = await startSystem({
    stores: "postgres",
    config: {
      advanced: reachable,
      socialProviders: {
        plain: testProvider(oauth),
        asking: {
          ...testProvider(oauth),
          redirectURI: "https://app.example.com/back",
          prompt: "select_account+consent",
          responseMode: "form_post",
          scope: ["b", "a"],
          authorizationParameters: { audience: "api" },
        },
        posting: { ...testProvider(oauth), clientAuthentication: "post", scopeSeparator: "," },
        old: testProvider(oauth, { pkce: false }),
        google: { ...testGoogle(oauth), disableDefaultScope: true, scope: ["only"] },
        github: { ...credentials, endpoints: { ...endpoints, emails: oauth.endpoints.emails } },
        kick: { ...credentials, endpoints },
        tiktok: { clientKey: "key-1", clientSecret: credentials.clientSecret, endpoints },
        twitter: { ...credentials, endpoints },
      },
    },
  });
  rows = openRows(system);
});
afterAll(async () => {
  await rows.close();
  await system.stop();
  await oauth.stop();
});
beforeEach(() => oauth.reset());

const start = (provider: string, body: object = {}) =>
  beginSignIn(createBrowserLike(system.url), { provider, ...body });
const tokenRequest = () => oauth.requests.find(({ endpoint }) => endpoint === "token");
const basic = `Basic ${Buffer.from("client-1:secret-1").toString("base64")}`;

test("request options appear in the URL, and no secret does", async () => {
  const { url } = await start("asking", { scopes: ["c", "a"] });
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    redirect_uri: "https://app.example.com/back",
    prompt: "select_account consent",
    response_mode: "form_post",
    scope: "b a c",
    audience: "api",
  });
  expect(url.href).not.toContain(credentials.clientSecret);
});

test("both requests name the same redirect URI", async () => {
  const begun = await start("asking");
  await callCallback(begun, "asking", {
    state: begun.state,
    code: codeFor(newProfile()),
  });
  expect(tokenRequest()?.parameters["redirect_uri"]).toBe("https://app.example.com/back");
});

test("an option omits the default scopes", async () => {
  const { url } = await start("google", { scopes: ["more"] });
  expect(url.searchParams.get("scope")).toBe("only more");
});

test("the secret is sent in the header, with the PKCE verifier", async () => {
  await signInWith(system, { profile: newProfile() });
  const { headers, parameters } = tokenRequest()!;
  expect(headers["authorization"]).toBe(basic);
  expect(Object.keys(parameters).sort()).toEqual([
    "code",
    "code_verifier",
    "grant_type",
    "redirect_uri",
  ]);
});

test("the secret is sent in the form if a provider requires it, and scopes are separated by commas", async () => {
  const { url } = await start("posting", { scopes: ["a", "b"] });
  expect(url.searchParams.get("scope")).toBe("a,b");
  await signInWith(system, { provider: "posting", profile: newProfile() });
  const { headers, parameters } = tokenRequest()!;
  expect(headers["authorization"]).toBeUndefined();
  expect(parameters).toMatchObject({ client_id: "client-1", client_secret: "secret-1" });
});

test("no verifier is sent without a challenge", async () => {
  const { url } = await start("old");
  expect(url.searchParams.has("code_challenge")).toBe(false);
  await signInWith(system, { provider: "old", profile: newProfile() });
  expect(tokenRequest()?.parameters).not.toHaveProperty("code_verifier");
});

test("scopes that a provider separates by commas are listed separately", async () => {
  const { browser } = await signInWith(system, {
    provider: "github",
    profile: { id: 7, login: "ada", name: null, email: null },
    emails: [{ email: newEmail(), primary: true, verified: true }],
    tokens: { scope: "read:user,user:email" },
  });
  const list = await (await browser.get("/list-accounts")).json();
  expect(list).toMatchObject([
    { provider: "github", accountId: "7", scopes: ["read:user", "user:email"] },
  ]);
});

test("the primary one of several addresses counts, with its own verification", async () => {
  const [primary, other] = [newEmail(), newEmail()];
  const { browser } = await signInWith(system, {
    provider: "github",
    profile: { id: 8, login: "ada" },
    emails: [
      { email: other, primary: false, verified: true },
      { email: primary, primary: true, verified: false },
    ],
  });
  expect((await readSession(browser))?.user).toMatchObject({
    email: primary,
    emailVerified: false,
  });
});

test("a numeric id is the same user each time", async () => {
  const profile = { data: [{ user_id: 4711, name: "Ada", email: newEmail() }] };
  const [first, second] = [
    await signInWith(system, { provider: "kick", profile }),
    await signInWith(system, { provider: "kick", profile }),
  ];
  const [one, other] = [await readSession(first.browser), await readSession(second.browser)];
  expect(other?.user.id).toBe(one?.user.id);
  const statement = "select account_id from identity.account where provider_id = 'kick'";
  expect(await rows.query(statement)).toEqual([{ account_id: "4711" }]);
});

test("a user without an address gets an undeliverable one, and is never confused with another", async () => {
  const people = ["1", "2"].map((id) => ({ data: { id, name: "Ada", username: "ada" } }));
  const users = [];
  for (const profile of people) {
    const { browser } = await signInWith(system, { provider: "twitter", profile });
    users.push((await readSession(browser))?.user);
  }
  expect(users).toMatchObject([
    { email: "1@twitter.invalid", emailVerified: false },
    { email: "2@twitter.invalid", emailVerified: false },
  ]);
  expect(tokenRequest()?.headers["authorization"]).toBe(basic);
});

test("a provider's own name for the client id is used, and its secret never passes the browser", async () => {
  const { url } = await start("tiktok");
  expect(url.searchParams.get("client_key")).toBe("key-1");
  expect([url.searchParams.has("client_id"), url.href.includes("secret-1")]).toEqual([
    false,
    false,
  ]);
  const profile = { data: { user: { open_id: "o-1", display_name: "Ada" } } };
  const { browser } = await signInWith(system, { provider: "tiktok", profile });
  expect((await readSession(browser))?.user.name).toBe("Ada");
  const { parameters } = tokenRequest()!;
  expect(parameters).toMatchObject({ client_key: "key-1", client_secret: "secret-1" });
  expect(parameters).not.toHaveProperty("client_id");
});

test("an error in a successful answer is an error", async () => {
  oauth.responses.token = respondWith({ error: "bad_verification_code", access_token: "a" });
  const { location, browser } = await signInWith(system, {
    provider: "github",
    profile: {},
  });
  expect(location).toBe(`${system.url}/error?error=invalid_code`);
  expect(await readSession(browser)).toBeNull();
});
