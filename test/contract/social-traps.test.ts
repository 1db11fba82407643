import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createBrowserLike } from "../browser-like.ts";
import { codeFor, type OAuthProvider, startOAuthProvider } from "../providers/oauth-provider.ts";
import { type Stack, startStack } from "../stack.ts";
import { newEmail, openRows, refusal, type Rows, seen, signUp } from "./identity-people.ts";
import {
  atTest,
  begin,
  comeBack,
  googleAtTest,
  googleToken,
  linkAt,
  newProfile,
  reachable,
  signInAt,
  whoIs,
} from "./social-flow.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
/** With linking on and the provider `trusted` trusted. */
let stack: Stack;
/** With linking off, which trust does not change. */
let unlinking: Stack;
let rows: Rows;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  const start = (enabled: boolean) =>
    startStack({
      stores: "postgres",
      config: {
        advanced: reachable,
        account: { accountLinking: { enabled, trustedProviders: ["trusted"] } },
        socialProviders: {
          plain: atTest(oauth),
          trusted: atTest(oauth),
          kick: atTest(oauth),
          google: googleAtTest(oauth),
        },
      },
    });
  stack = await start(true);
  unlinking = await start(false);
  rows = openRows(stack);
});
afterAll(async () => {
  await rows.close();
  await stack.stop();
  await unlinking.stop();
  await oauth.stop();
});
beforeEach(() => oauth.reset());

const browserOf = (of = stack) => createBrowserLike(of.url);
const restart = () => `${stack.url}/error?error=please_restart_the_process`;
const bring = async (path: string, claims: object, browser = browserOf()) =>
  browser.post(path, {
    provider: "google",
    idToken: { token: await googleToken(oauth, { ...claims }) },
  });
/** Signs up a user with a password and a verified address. */
const proven = async (of = stack) => {
  const ada = await signUp(of);
  const own = openRows(of);
  await own.ask("update identity.user set email_verified = true where id = $1", ada.user.id);
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
  const good = await signInAt(stack, { profile: newProfile() });
  const bad = await comeBack({ browser: browserOf() }, "plain", {});
  for (const { status, text, headers } of [good, bad])
    expect([status, text, headers.get("content-type")]).toEqual([302, "", "application/json"]);
});

test("2: the default target is the origin, and errors are below the base path", async () => {
  expect((await signInAt(stack, { profile: newProfile() })).location).toBe(stack.origin);
  const { location } = await comeBack({ browser: browserOf() }, "plain", {});
  expect(location).toBe(`${stack.origin}/api/auth/error?error=state_not_found`);
});

test("3: the state is used up before the code is checked, and an invalid one is reported on our own page", async () => {
  const errorCallbackURL = "/oops";
  const begun = await begin(browserOf(), { provider: "plain", errorCallbackURL });
  const cookie = begun.browser.cookies.get("auth.state") ?? "";
  const withoutCode = await comeBack(begun, "plain", { state: begun.state });
  expect(withoutCode.location).toBe("/oops?error=no_code");
  begun.browser.cookies.set("auth.state", cookie);
  const parameters = { state: begun.state, code: codeFor(newProfile()) };
  expect((await comeBack(begun, "plain", parameters)).location).toBe(restart());
});

test("4: a provider's own error is reported on our own page and keeps the state valid", async () => {
  const begun = await begin(browserOf(), { provider: "plain", errorCallbackURL: "/oops" });
  const { state } = begun;
  const { location } = await comeBack(begun, "plain", { state, error: "access_denied" });
  expect(location).toBe(`${stack.url}/error?error=access_denied`);
  const good = await comeBack(begun, "plain", { state, code: codeFor(newProfile()) });
  expect(good.location).toBe(stack.origin);
});

test("5: an error page keeps its own query", async () => {
  const begun = await begin(browserOf(), { provider: "plain", errorCallbackURL: "/oops?a=1" });
  const { location } = await comeBack(begun, "plain", { state: begun.state });
  expect(location).toBe("/oops?a=1&error=no_code");
});

test("6: newUserCallbackURL applies to registered users, not to linked ones", async () => {
  const body = { callbackURL: "/in", newUserCallbackURL: "/new" };
  const { email } = await proven();
  const linked = await signInAt(stack, { profile: newProfile({ email }), body });
  const registered = await signInAt(stack, { profile: newProfile(), body });
  expect([linked.location, registered.location]).toEqual(["/in", "/new"]);
});

test("7: error codes are their texts with underscores for spaces and no apostrophes", async () => {
  const ada = await signUp(stack);
  const differing = await seen(await bring("/link-social", newProfile(), ada.browser));
  expect(differing).toEqual(
    refusal(
      401,
      "ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED",
      "Account not linked - different emails not allowed",
    ),
  );
  const last = await seen(await ada.browser.post("/unlink-account", { providerId: "credential" }));
  const text = "You can't unlink your last account";
  expect(last).toEqual(refusal(400, "YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT", text));
});

test("8: a redirect reports a code, an id token sign-in a sentence", async () => {
  const { email } = await signUp(stack);
  const profile = newProfile({ email });
  const { location } = await signInAt(stack, { profile });
  expect(location).toBe(`${stack.url}/error?error=account_not_linked`);
  expect(await seen(await bring("/sign-in/social", profile))).toEqual(
    refusal(401, "ACCOUNT_NOT_LINKED", "account not linked"),
  );
});

test("9: linking creates no session, and linking again adds scopes but no second account", async () => {
  const ada = await proven();
  const profile = newProfile({ email: ada.email });
  const first = await linkAt({ ...ada, profile, tokens: { scope: "a" } });
  const second = await linkAt({ ...ada, profile, tokens: { scope: "b" } });
  for (const { cookies } of [first, second])
    expect(cookies).toEqual([expect.stringMatching(/^auth\.state=; Max-Age=0/)]);
  const sessions = "select 1 from identity.session where user_id = $1";
  expect(await rows.ask(sessions, ada.user.id)).toHaveLength(1);
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
  const by = async (of: Stack, provider: string, verified: boolean) => {
    const { email } = await proven(of);
    const profile = newProfile({ email, email_verified: verified });
    return (await signInAt(of, { provider, profile })).location.replace(/^.*\?error=/, "");
  };
  const refused = "account_not_linked";
  expect(await by(stack, "plain", true)).toBe(stack.origin);
  expect(await by(stack, "trusted", false)).toBe(stack.origin);
  expect(await by(stack, "plain", false)).toBe(refused);
  expect(await by(unlinking, "trusted", true)).toBe(refused);
  const newcomer = await signInAt(unlinking, { profile: newProfile() });
  expect(newcomer.location).toBe(unlinking.origin);
});

test("12: unlinking reports the last account first, then a missing one, and requires a fresh session", async () => {
  const { browser } = await signInAt(stack, { profile: newProfile() });
  const unlink = async (providerId: string) =>
    (await seen<{ code: string }>(await browser.post("/unlink-account", { providerId }))).body.code;
  expect(await unlink("unknown")).toBe("YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT");
  const email = (await whoIs(browser))?.user.email;
  await linkAt({ browser, provider: "trusted", profile: newProfile({ email }) });
  expect(await unlink("unknown")).toBe("ACCOUNT_NOT_FOUND");
  const userId = (await whoIs(browser))?.user.id;
  const age =
    "update identity.session set updated_at = now() - interval '2 days' where user_id = $1";
  await rows.ask(age, userId);
  expect(await unlink("trusted")).toBe("SESSION_IS_NOT_FRESH");
});

test("13: an account is named by its own id or the provider's, and never replaces a session", async () => {
  const profile = newProfile();
  const { browser } = await signInAt(stack, { profile });
  const [account] = await listOf(browser);
  const userId = (await whoIs(browser))?.user.id;
  const ask = (accountId: string | undefined, of = browser) =>
    of.post("/get-access-token", { providerId: "plain", accountId, userId });
  for (const named of [account?.id, profile.sub, undefined])
    expect((await ask(named)).status).toBe(200);
  expect((await ask(account?.id, browserOf())).status).toBe(401);
  const bob = await signUp(stack);
  expect((await ask(account?.id, bob.browser)).status).toBe(400);
});

test("14: a token is refreshed if it has less than five seconds left, and the refresh token stays", async () => {
  const profile = newProfile();
  const code = codeFor(profile);
  const tokens = { refresh_token: code, expires_in: 3_600 };
  const { browser } = await signInAt(stack, { profile, tokens });
  const ask = () => browser.post("/get-access-token", { providerId: "plain" });
  const refreshes = () =>
    oauth.asked.filter(({ parameters }) => parameters["grant_type"] === "refresh_token").length;
  const expireIn = (seconds: number) =>
    rows.ask(
      "update identity.account set access_token_expires_at = now() + make_interval(secs => $2) where account_id = $1",
      profile.sub,
      seconds,
    );
  await expireIn(60);
  expect([(await ask()).status, refreshes()]).toEqual([200, 0]);
  await expireIn(4);
  expect([(await ask()).status, refreshes()]).toEqual([200, 1]);
  await expireIn(4);
  expect([(await ask()).status, refreshes()]).toEqual([200, 2]);
  const stale = newProfile();
  const without = await signInAt(stack, { profile: stale, tokens: { expires_in: 1 } });
  const old = await without.browser.post("/get-access-token", { providerId: "plain" });
  expect([old.status, refreshes()]).toEqual([200, 2]);
});

test("15: scopes are added to the default ones, no scopes are an empty list, and ids are text", async () => {
  const { url } = await begin(browserOf(), { provider: "google", scopes: ["more"] });
  expect(url.searchParams.get("scope")).toBe("email profile openid more");
  const profile = { data: [{ user_id: 12, name: "Ada", email: newEmail() }] };
  const { browser } = await signInAt(stack, { provider: "kick", profile, tokens: { scope: "" } });
  expect(await listOf(browser)).toMatchObject([{ accountId: "12", scopes: [] }]);
});
