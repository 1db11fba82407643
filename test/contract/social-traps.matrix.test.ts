import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  codeFor,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows, type Rows, verifyAddress } from "../harness/rows.ts";
import {
  beginSignIn,
  callCallback,
  googleToken,
  linkWith,
  newProfile,
  reachable,
  signInWith,
  testGoogle,
  testProvider,
} from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
/** With linking on and the provider `trusted` trusted. */
let system: System;
/** With linking off, which trust does not change. */
let unlinking: System;
let rows: Rows;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  const start = (enabled: boolean) =>
    startSystem({
      stores: "postgres",
      config: {
        advanced: reachable,
        account: { accountLinking: { enabled, trustedProviders: ["trusted"] } },
        socialProviders: {
          plain: testProvider(oauth),
          trusted: testProvider(oauth),
          kick: testProvider(oauth),
          google: testGoogle(oauth),
        },
      },
    });
  system = await start(true);
  unlinking = await start(false);
  rows = openRows(system);
});
afterAll(async () => {
  await rows.close();
  await system.stop();
  await unlinking.stop();
  await oauth.stop();
});
beforeEach(() => oauth.reset());

const browserOf = (at = system) => createBrowserLike(at.url);
const restart = () => `${system.url}/error?error=please_restart_the_process`;
const bring = async (path: string, claims: object, browser = browserOf()) =>
  browser.post(path, {
    provider: "google",
    idToken: { token: await googleToken(oauth, { ...claims }) },
  });
/** Signs up a user with a password and a verified address. */
const proven = async (at = system) => {
  const ada = await signUp(at);
  const own = openRows(at);
  await verifyAddress(own, ada.user.id);
  await own.close();
  return ada;
};
interface Listed {
  id: string;
  provider: string;
  accountId: string;
  scopes: string[];
}
const listOf = async (browser: ReturnType<typeof browserOf>) =>
  (await (await browser.get("/list-accounts")).json()) as Listed[];

test("1: the start returns JSON, and the callback always redirects without a body", async () => {
  const start = await browserOf().post("/sign-in/social", { provider: "plain" });
  expect([start.status, Object.keys((await start.json()) as object)]).toEqual([
    200,
    ["url", "redirect"],
  ]);
  const good = await signInWith(system, { profile: newProfile() });
  const bad = await callCallback({ browser: browserOf() }, "plain", {});
  for (const { status, text, headers } of [good, bad])
    expect([status, text, headers.get("content-type")]).toEqual([302, "", "application/json"]);
});

test("2: the default target is the origin, and errors are below the base path", async () => {
  expect((await signInWith(system, { profile: newProfile() })).location).toBe(system.origin);
  const { location } = await callCallback({ browser: browserOf() }, "plain", {});
  expect(location).toBe(`${system.origin}/api/auth/error?error=state_not_found`);
});

test("3: the state is used up before the code is checked, and an invalid one is reported on our own page", async () => {
  const errorCallbackURL = "/oops";
  const begun = await beginSignIn(browserOf(), { provider: "plain", errorCallbackURL });
  const cookie = begun.browser.cookies.get("auth.state") ?? "";
  const withoutCode = await callCallback(begun, "plain", { state: begun.state });
  expect(withoutCode.location).toBe("/oops?error=no_code");
  begun.browser.cookies.set("auth.state", cookie);
  const parameters = { state: begun.state, code: codeFor(newProfile()) };
  expect((await callCallback(begun, "plain", parameters)).location).toBe(restart());
});

test("4: a provider's own error is reported on our own page and keeps the state valid", async () => {
  const begun = await beginSignIn(browserOf(), { provider: "plain", errorCallbackURL: "/oops" });
  const { state } = begun;
  const { location } = await callCallback(begun, "plain", { state, error: "access_denied" });
  expect(location).toBe(`${system.url}/error?error=access_denied`);
  const good = await callCallback(begun, "plain", { state, code: codeFor(newProfile()) });
  expect(good.location).toBe(system.origin);
});

test("5: an error page keeps its own query", async () => {
  const begun = await beginSignIn(browserOf(), {
    provider: "plain",
    errorCallbackURL: "/oops?a=1",
  });
  const { location } = await callCallback(begun, "plain", { state: begun.state });
  expect(location).toBe("/oops?a=1&error=no_code");
});

test("6: newUserCallbackURL applies to registered users, not to linked ones", async () => {
  const body = { callbackURL: "/in", newUserCallbackURL: "/new" };
  const { email } = await proven();
  const linked = await signInWith(system, { profile: newProfile({ email }), body });
  const registered = await signInWith(system, { profile: newProfile(), body });
  expect([linked.location, registered.location]).toEqual(["/in", "/new"]);
});

test("7: error codes are their texts with underscores for spaces and no apostrophes", async () => {
  const ada = await signUp(system);
  const differing = await readResponse(await bring("/link-social", newProfile(), ada.browser));
  expect(differing).toEqual(
    errorResponse(
      401,
      "ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED",
      "Account not linked - different emails not allowed",
    ),
  );
  const last = await readResponse(
    await ada.browser.post("/unlink-account", { providerId: "credential" }),
  );
  const text = "You can't unlink your last account";
  expect(last).toEqual(errorResponse(400, "YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT", text));
});

test("8: a redirect reports a code, an id token sign-in a sentence", async () => {
  const { email } = await signUp(system);
  const profile = newProfile({ email });
  const { location } = await signInWith(system, { profile });
  expect(location).toBe(`${system.url}/error?error=account_not_linked`);
  expect(await readResponse(await bring("/sign-in/social", profile))).toEqual(
    errorResponse(401, "ACCOUNT_NOT_LINKED", "account not linked"),
  );
});

test("9: linking creates no session, and linking again adds scopes but no second account", async () => {
  const ada = await proven();
  const profile = newProfile({ email: ada.email });
  const first = await linkWith({ ...ada, profile, tokens: { scope: "a" } });
  const second = await linkWith({ ...ada, profile, tokens: { scope: "b" } });
  for (const { cookies } of [first, second])
    expect(cookies).toEqual([expect.stringMatching(/^auth\.state=; Max-Age=0/)]);
  const sessions = "select 1 from identity.session where user_id = $1";
  expect(await rows.query(sessions, ada.user.id)).toHaveLength(1);
  expect(await listOf(ada.browser)).toMatchObject([
    { provider: "credential", scopes: [] },
    { provider: "plain", scopes: ["a", "b"] },
  ]);
});

test("10: an id token of a linked account is accepted before its address is checked", async () => {
  const ada = await proven();
  const claims = newProfile({ email: ada.email });
  await bring("/link-social", claims, ada.browser);
  const later = { ...claims, email: newEmail(), email_verified: false };
  const answer = await bring("/link-social", later, ada.browser);
  expect(await answer.json()).toEqual({ redirect: false, url: "", status: true });
});

test("11: trust or verification links by address, unless linking is off, which still allows new users", async () => {
  const by = async (at: System, provider: string, verified: boolean) => {
    const { email } = await proven(at);
    const profile = newProfile({ email, email_verified: verified });
    return (await signInWith(at, { provider, profile })).location.replace(/^.*\?error=/, "");
  };
  const refused = "account_not_linked";
  expect(await by(system, "plain", true)).toBe(system.origin);
  expect(await by(system, "trusted", false)).toBe(system.origin);
  expect(await by(system, "plain", false)).toBe(refused);
  expect(await by(unlinking, "trusted", true)).toBe(refused);
  const newcomer = await signInWith(unlinking, { profile: newProfile() });
  expect(newcomer.location).toBe(unlinking.origin);
});

test("12: unlinking reports the last account first, then a missing one, and requires a fresh session", async () => {
  const { browser } = await signInWith(system, { profile: newProfile() });
  const unlink = async (providerId: string) =>
    (await readResponse<{ code: string }>(await browser.post("/unlink-account", { providerId })))
      .body.code;
  expect(await unlink("unknown")).toBe("YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT");
  const email = (await readSession(browser))?.user.email;
  await linkWith({ browser, provider: "trusted", profile: newProfile({ email }) });
  expect(await unlink("unknown")).toBe("ACCOUNT_NOT_FOUND");
  const userId = (await readSession(browser))?.user.id;
  const age =
    "update identity.session set updated_at = now() - interval '2 days' where user_id = $1";
  await rows.query(age, userId);
  expect(await unlink("trusted")).toBe("SESSION_IS_NOT_FRESH");
});

test("13: an account is named by its own id or the provider's, and never replaces a session", async () => {
  const profile = newProfile();
  const { browser } = await signInWith(system, { profile });
  const [account] = await listOf(browser);
  const userId = (await readSession(browser))?.user.id;
  const getAccessToken = (accountId: string | undefined, client = browser) =>
    client.post("/get-access-token", { providerId: "plain", accountId, userId });
  for (const named of [account?.id, profile.sub, undefined])
    expect((await getAccessToken(named)).status).toBe(200);
  expect((await getAccessToken(account?.id, browserOf())).status).toBe(401);
  const bob = await signUp(system);
  expect((await getAccessToken(account?.id, bob.browser)).status).toBe(400);
});

test("14: a token is refreshed if it has less than five seconds left, and the refresh token stays", async () => {
  const profile = newProfile();
  const code = codeFor(profile);
  const tokens = { refresh_token: code, expires_in: 3_600 };
  const { browser } = await signInWith(system, { profile, tokens });
  const getAccessToken = () => browser.post("/get-access-token", { providerId: "plain" });
  const refreshes = () =>
    oauth.requests.filter(({ parameters }) => parameters["grant_type"] === "refresh_token").length;
  const expireIn = (seconds: number) =>
    rows.query(
      "update identity.account set access_token_expires_at = now() + make_interval(secs => $2) where account_id = $1",
      profile.sub,
      seconds,
    );
  await expireIn(60);
  expect([(await getAccessToken()).status, refreshes()]).toEqual([200, 0]);
  await expireIn(4);
  expect([(await getAccessToken()).status, refreshes()]).toEqual([200, 1]);
  await expireIn(4);
  expect([(await getAccessToken()).status, refreshes()]).toEqual([200, 2]);
  const stale = newProfile();
  const without = await signInWith(system, { profile: stale, tokens: { expires_in: 1 } });
  const old = await without.browser.post("/get-access-token", { providerId: "plain" });
  expect([old.status, refreshes()]).toEqual([200, 2]);
});

test("15: scopes are added to the default ones, no scopes are an empty list, and ids are text", async () => {
  const { url } = await beginSignIn(browserOf(), { provider: "google", scopes: ["more"] });
  expect(url.searchParams.get("scope")).toBe("email profile openid more");
  const profile = { data: [{ user_id: 12, name: "Ada", email: newEmail() }] };
  const { browser } = await signInWith(system, {
    provider: "kick",
    profile,
    tokens: { scope: "" },
  });
  expect(await listOf(browser)).toMatchObject([{ accountId: "12", scopes: [] }]);
});
