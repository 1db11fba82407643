import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  credentials,
  googleToken,
  newProfile,
  reachable,
  signInWith,
  testGoogle,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { readSession } from "../harness/users.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
beforeAll(async () => {
  oauth = await startOAuthProvider();
});
afterAll(() => oauth.stop());

let system: System;
let rows: Rows;
const startWith = async (config: LatchkeyConfig, options: object = {}) => {
  const { endpoints } = testProvider(oauth);
  system = await startSystem({
    stores: "postgres",
    config: {
      advanced: reachable,
      socialProviders: {
        plain: testProvider(oauth, options),
        twitter: { ...credentials, endpoints },
        google: { ...testGoogle(oauth), ...options },
      },
      ...config,
    },
  });
  rows = openRows(system);
};
afterEach(async () => {
  await rows.close();
  await system.stop();
});

const accountOf = async ({ sub }: { sub: string }) =>
  (await rows.query("select * from identity.account where account_id = $1", sub))[0];
const send = async (claims: object) => {
  const idToken = { token: await googleToken(oauth, { ...claims }) };
  const browser = createBrowserLike(system.url);
  return browser.post("/sign-in/social", { provider: "google", idToken });
};

/** Counts all requests for a mail. */
const mailsAsked = async () =>
  (await rows.query("select 1 from identity.audit where action = 'verification.requested'")).length;

test("each sign-in stores the new tokens, keeps those that the provider omits, adds scopes and mails nobody", async () => {
  await startWith({});
  const profile = newProfile({ email_verified: false });
  const first = { scope: "a b", refresh_token: "r-1", expires_in: 60 };
  await signInWith(system, { profile, tokens: first });
  const before = await accountOf(profile);
  await signInWith(system, { profile: { ...profile, name: "B" }, tokens: { scope: "b c" } });
  const after = await accountOf(profile);
  expect(after?.["access_token"]).not.toBe(before?.["access_token"]);
  expect(after).toMatchObject({
    id: before?.["id"],
    refresh_token: before?.["refresh_token"],
    access_token_expires_at: null,
    scope: "a,b,c",
  });
  await signInWith(system, { profile });
  expect((await accountOf(profile))?.["scope"]).toBe("a,b,c");
  expect(await mailsAsked()).toBe(0);
});

test("options store tokens unencrypted, and keep them unchanged at sign-in", async () => {
  await startWith({ account: { encryptOAuthTokens: false, updateAccountOnSignIn: false } });
  const profile = newProfile();
  await signInWith(system, { profile, tokens: { refresh_token: "r-1" } });
  const before = await accountOf(profile);
  expect(before).toMatchObject({
    access_token: codeFor(profile, { tokens: { refresh_token: "r-1" } }),
    refresh_token: "r-1",
  });
  const { location } = await signInWith(system, { profile, tokens: { scope: "more" } });
  expect(location).toBe(system.origin);
  expect(await accountOf(profile)).toEqual(before);
});

test("a new unverified user is mailed a link if sign-up sends one, and no other is", async () => {
  await startWith({ emailVerification: { sendOnSignUp: true } });
  const profile = newProfile({ email_verified: false });
  const { browser } = await signInWith(system, { profile, body: { callbackURL: "/in?a=1&b=2" } });
  const mail = await system.smtp.waitForMail(profile.email);
  const link = new URL(mail.links.find((one) => one.includes("/verify-email?")) ?? "");
  expect(link.searchParams.get("callbackURL")).toBe("/in?a=1&b=2");
  await browser.get(link.href.slice(system.url.length));
  expect((await readSession(browser))?.user.emailVerified).toBe(true);
  const before = await mailsAsked();
  await signInWith(system, { profile: newProfile() });
  await signInWith(system, { profile });
  await signInWith(system, { provider: "twitter", profile: { data: { id: "1", name: "Ada" } } });
  expect(await mailsAsked()).toBe(before);
});

test("a provider that must verify addresses signs in only such users, and mails others a link", async () => {
  await startWith({}, { requireEmailVerification: true });
  const profile = newProfile({ email_verified: false });
  const refused = await signInWith(system, { profile });
  expect(refused.location).toBe(`${system.url}/error?error=email_not_verified`);
  expect(await readSession(refused.browser)).toBeNull();
  const mail = await system.smtp.waitForMail(profile.email);
  const link = new URL(mail.links.find((one) => one.includes("/verify-email?")) ?? "");
  await refused.browser.get(link.href.slice(system.url.length));
  expect((await signInWith(system, { profile })).location).toBe(system.origin);
  const claims = newProfile({ email_verified: false });
  expect(await readResponse(await send(claims))).toEqual(
    errorResponse(403, "EMAIL_NOT_VERIFIED", "Email not verified"),
  );
});

test("disabled id tokens are invalid", async () => {
  await startWith({}, { disableIdTokenSignIn: true });
  expect(await readResponse(await send(newProfile()))).toEqual(
    errorResponse(401, "INVALID_TOKEN", "invalid token"),
  );
});

test("the application's own refresh replaces the provider's", async () => {
  const accessTokenExpiresAt = new Date("2031-05-06T07:08:09.000Z");
  await startWith(
    {},
    {
      refreshAccessToken: async (refreshToken: string) => ({
        accessToken: `new for ${refreshToken}`,
        accessTokenExpiresAt,
      }),
    },
  );
  const profile = newProfile();
  const { browser } = await signInWith(system, { profile, tokens: { refresh_token: "r-1" } });
  oauth.reset();
  const response = await browser.post("/refresh-token", { providerId: "plain" });
  expect(await response.json()).toMatchObject({
    accessToken: "new for r-1",
    accessTokenExpiresAt: accessTokenExpiresAt.toISOString(),
  });
  expect(oauth.requests).toEqual([]);
});
