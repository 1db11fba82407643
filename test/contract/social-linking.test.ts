import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { type OAuthProvider, startOAuthProvider } from "../harness/providers/oauth-provider.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import {
  clearedStateCookie,
  googleToken,
  linkWith,
  reachable,
  signInWith,
  testGoogle,
  testProvider,
} from "../harness/social-sign-in.ts";
import { useSystem } from "../harness/use-system.ts";
import { newEmail, readSession, signUp, type TestUser } from "../harness/users.ts";
import { verifyAddress } from "../harness/rows.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
/** The result of the application's account hook. */
let mayLink: boolean | undefined;
const { system, rows } = useSystem(async () => {
  oauth = await startOAuthProvider();
  return {
    stores: "postgres",
    config: {
      advanced: reachable,
      databaseHooks: {
        account: { create: { before: () => (mayLink === false ? false : undefined) } },
      },
      socialProviders: {
        plain: testProvider(oauth, { name: "Plain & Sons" }),
        google: testGoogle(oauth),
      },
    },
  };
});
afterAll(async () => {
  await oauth.stop();
});

const newProfile = (own: object = {}) => ({
  sub: newEmail(),
  name: "Ada at the provider",
  picture: "https://example.com/there.png",
  email_verified: true,
  ...own,
});

/** Links by an id token. */
const bring = async ({ browser }: Pick<TestUser, "browser">, claims: object, more: object = {}) => {
  const token = await googleToken(oauth, { ...claims });
  return browser.post("/link-social", { provider: "google", idToken: { token, ...more } });
};
const done = JSON.stringify({ redirect: false, url: "", status: true });

interface Listed {
  provider: string;
  accountId: string;
  scopes: string[];
}
const listOf = async ({ browser }: Pick<TestUser, "browser">) => {
  const listed = (await (await browser.get("/list-accounts")).json()) as Listed[];
  return listed.map(({ provider, accountId, scopes }) => ({ provider, accountId, scopes }));
};
const providersOf = async (ada: Pick<TestUser, "browser">) =>
  (await listOf(ada)).map(({ provider }) => provider);

test("a signed-in user links an account of the same address, which verifies it and creates no session or cookie", async () => {
  const ada = await signUp(system);
  const before = await readSession(ada.browser);
  const profile = newProfile({ email: ada.email.toUpperCase() });
  const back = await linkWith({ ...ada, profile, body: { callbackURL: "/linked" } });
  expect(back).toMatchObject({ status: 302, location: "/linked", text: "" });
  expect(back.cookies).toEqual([clearedStateCookie]);
  expect(await providersOf(ada)).toEqual(["credential", "plain"]);
  expect(await readSession(ada.browser)).toEqual({
    session: before?.session,
    user: { ...before?.user, emailVerified: true, updatedAt: expect.any(String) },
  });
  const sessions = await rows.query(
    "select 1 from identity.session where user_id = $1",
    ada.user.id,
  );
  expect(sessions).toHaveLength(1);
  const { browser } = await signInWith(system, { profile });
  expect((await readSession(browser))?.user.id).toBe(ada.user.id);
});

test("linking again renews the tokens and adds the scopes", async () => {
  const ada = await signUp(system);
  const profile = newProfile({ email: ada.email });
  const statement =
    "select access_token, id, updated_at from identity.account where account_id = $1";
  await linkWith({ ...ada, profile, tokens: { scope: "read" } });
  const [first] = await rows.query(statement, profile.sub);
  await linkWith({ ...ada, profile, tokens: { scope: "read write" } });
  const [second, ...others] = await rows.query(statement, profile.sub);
  expect(others).toEqual([]);
  expect(second?.["id"]).toBe(first?.["id"]);
  expect(second?.["access_token"]).not.toBe(first?.["access_token"]);
  expect(await listOf(ada)).toContainEqual({
    provider: "plain",
    accountId: profile.sub,
    scopes: ["read", "write"],
  });
});

test("requested scopes follow the configured ones", async () => {
  const { browser } = await signUp(system);
  const body = { provider: "google", scopes: ["calendar", "email"], disableRedirect: true };
  const response = await browser.post("/link-social", body);
  const answer = (await response.json()) as { url: string };
  expect(Object.keys(answer)).toEqual(["url", "redirect"]);
  expect(response.headers.get("location")).toBeNull();
  expect(new URL(answer.url).searchParams.get("scope")).toBe("email profile openid calendar");
});

test("an id token links at once", async () => {
  const ada = await signUp(system);
  const claims = newProfile({ email: ada.email });
  const response = await bring(ada, claims, { accessToken: "a", scopes: ["read", "write"] });
  expect([response.status, await response.text()]).toEqual([200, done]);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await listOf(ada)).toContainEqual({
    provider: "google",
    accountId: claims.sub,
    scopes: ["read", "write"],
  });
});

test("accepts an id token of an account that the user already has, whatever its claims", async () => {
  const ada = await signUp(system);
  const claims = newProfile({ email: ada.email });
  await bring(ada, claims);
  const [before] = await rows.query(
    "select * from identity.account where account_id = $1",
    claims.sub,
  );
  const later = { ...claims, email: newEmail(), email_verified: false };
  expect(await (await bring(ada, later)).text()).toBe(done);
  const after = await rows.query(
    "select * from identity.account where account_id = $1",
    claims.sub,
  );
  expect(after).toEqual([before]);
});

test.each([
  [
    "of an unproven address",
    { email_verified: false },
    errorResponse(
      401,
      "ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED",
      "Account not linked - linking not allowed",
    ),
  ],
  [
    "of another address",
    { email: "somebody-else@example.com" },
    errorResponse(
      401,
      "ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED",
      "Account not linked - different emails not allowed",
    ),
  ],
  [
    "without an address",
    { email: undefined },
    errorResponse(401, "USER_EMAIL_NOT_FOUND", "User email not found"),
  ],
  [
    "for somebody else's app",
    { aud: "other" },
    errorResponse(401, "INVALID_TOKEN", "invalid token"),
  ],
])("an id token %s links nothing", async (_, claims, expected) => {
  const ada = await signUp(system);
  const idClaims = newProfile({ email: ada.email, ...claims });
  expect(await readResponse(await bring(ada, idClaims))).toEqual(expected);
  expect(await providersOf(ada)).toEqual(["credential"]);
});

test("another user's account stays theirs, in both ways of linking", async () => {
  const [ada, bob] = [await signUp(system), await signUp(system)];
  const claims = newProfile({ email: ada.email });
  await bring(ada, claims);
  const bobs = { ...claims, email: bob.email };
  expect(await readResponse(await bring(bob, bobs))).toEqual(
    errorResponse(409, "SOCIAL_ACCOUNT_ALREADY_LINKED", "Social account already linked"),
  );
  const profile = newProfile({ email: ada.email });
  await linkWith({ ...ada, profile });
  const { location } = await linkWith({ ...bob, profile: { ...profile, email: bob.email } });
  expect(location).toBe(`${system.url}/error?error=account_already_linked_to_different_user`);
  expect(await providersOf(bob)).toEqual(["credential"]);
});

test("a veto of the application's hook is reported as such", async () => {
  const ada = await signUp(system);
  mayLink = false;
  const answer = await readResponse(await bring(ada, newProfile({ email: ada.email })));
  mayLink = undefined;
  expect(answer).toEqual(
    errorResponse(
      417,
      "ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT",
      "Account not linked - unable to create account",
    ),
  );
});

test("notifies a verified address of it by mail, and no unverified one", async () => {
  const [ada, bob] = [await signUp(system), await signUp(system)];
  await verifyAddress(rows, ada.user.id);
  await linkWith({ ...bob, profile: newProfile({ email: bob.email }) });
  await linkWith({ ...ada, profile: newProfile({ email: ada.email }) });
  const mail = await system.smtp.waitForMail(ada.email);
  expect(mail.text).toContain("Plain & Sons");
  expect(system.smtp.mails.filter(({ to }) => to.includes(bob.email))).toEqual([]);
});

test("rejects a form", async () => {
  const { browser } = await signUp(system);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { status } = await fetch(`${system.url}/link-social`, {
    method: "POST",
    headers: { cookie, origin: system.origin },
    body: new URLSearchParams({ provider: "plain" }),
  });
  expect(status).toBe(400);
});

test.each([
  [{ provider: "unknown" }, 404, "PROVIDER_NOT_FOUND"],
  [{ provider: "toString" }, 404, "PROVIDER_NOT_FOUND"],
  [{ provider: "plain", idToken: { token: "a" } }, 404, "ID_TOKEN_NOT_SUPPORTED"],
  [{ provider: "google", idToken: { token: "a" } }, 401, "INVALID_TOKEN"],
  [{}, 400, "VALIDATION_ERROR"],
  [{ provider: "plain", callbackURL: "https://evil.example" }, 403, "INVALID_CALLBACKURL"],
])("rejects %j", async (body, status, code) => {
  const { browser } = await signUp(system);
  expect(await readResponse(await browser.post("/link-social", body))).toMatchObject({
    status,
    body: { code },
    cookies: [],
  });
});

test("requires a session, after a check of the input", async () => {
  const browser = createBrowserLike(system.url);
  const answers = [{ provider: "plain" }, {}].map((body) => browser.post("/link-social", body));
  const [nobody, malformed] = await Promise.all(answers);
  expect([nobody?.status, malformed?.status]).toEqual([401, 400]);
});
