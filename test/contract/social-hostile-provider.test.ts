import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  type OAuthProvider,
  respondWith,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import {
  beginSignIn,
  callCallback,
  countRows,
  newProfile,
  reachable,
  testProvider,
} from "../harness/social-sign-in.ts";
import { useSystem } from "../harness/use-system.ts";
import { readSession } from "../harness/users.ts";

expectNoLeaks("file");

let oauth: OAuthProvider;
const { system, rows } = useSystem(async () => {
  oauth = await startOAuthProvider();
  return {
    stores: "postgres",
    config: {
      advanced: reachable,
      // Stores the provider's tokens unchanged.
      account: { encryptOAuthTokens: false },
      socialProviders: { plain: testProvider(oauth) },
    },
  };
});
afterAll(async () => {
  await oauth.stop();
});

afterEach(() => oauth.reset());

const body = { provider: "plain", callbackURL: "/in", errorCallbackURL: "/oops" };
const long = "x".repeat(100_000);

/** Signs in by a provider with this profile. Returns whether there is a session, and the written rows. */
const come = async (profile: object, tokens: Record<string, unknown> = {}) => {
  const before = await countRows(rows);
  oauth.responses.token = respondWith({ access_token: "a", token_type: "bearer", ...tokens });
  oauth.responses.userInfo = respondWith(profile);
  const begun = await beginSignIn(createBrowserLike(system.url), body);
  const { status, location } = await callCallback(begun, "plain", {
    state: begun.state,
    code: "a",
  });
  expect([status, location]).toEqual([
    302,
    expect.stringMatching(/^\/in$|^\/oops\?error=[a-z_]+$/),
  ]);
  const isIn = location === "/in";
  const more = isIn ? 1 : 0;
  expect(await countRows(rows)).toEqual({
    users: before.users + more,
    accounts: before.accounts + more,
    sessions: before.sessions + more,
  });
  const shown = await readSession(begun.browser);
  expect(shown !== null).toBe(isIn);
  return { location, user: shown?.user };
};

/** A user who controls their provider's answers must not break anything, nor be registered incompletely. */
test.each<[string, object, string]>([
  ["an id with NUL", { sub: "a\0b" }, "unable_to_get_user_info"],
  ["an id of half a letter", { sub: "a\ud800" }, "unable_to_get_user_info"],
  ["an id of 100 kB", { sub: long }, "unable_to_get_user_info"],
  ["an empty id", { sub: "" }, "unable_to_get_user_info"],
  ["a list as id", { sub: ["a"] }, "unable_to_get_user_info"],
  ["an object as id", { sub: { toString: "a" } }, "unable_to_get_user_info"],
  ["an address with NUL", { email: "a\0@example.com" }, "email_not_found"],
  ["an address of two lines", { email: "a@example.com\r\nbcc: b@example.com" }, "email_not_found"],
  ["two addresses", { email: "a@example.com,b@example.com" }, "email_not_found"],
  ["a list of addresses", { email: ["a@example.com"] }, "email_not_found"],
  ["an address of 100 kB", { email: `${long}@example.com` }, "email_not_found"],
])("a profile with %s is rejected with a general error", async (_what, given, error) => {
  expect((await come(newProfile(given))).location).toBe(`/oops?error=${error}`);
});

test.each<[string, object]>([
  ["a name with NUL", { name: "A\0da" }],
  ["a name of half a letter", { name: "Ada \ud800" }],
  ["a name of 100 kB", { name: long }],
  ["markup as a name", { name: '<script>alert("x")</script>' }],
  ["a list as a name", { name: ["Ada"] }],
  ["a picture that is a script", { picture: "javascript:alert(1)" }],
  ["a picture of 100 kB", { picture: long }],
  ["names of every object", JSON.parse('{"__proto__":{"role":"admin"},"constructor":1}') as object],
  ["a role of its own", { role: "admin", banned: false, id: "chosen", createdAt: "1970-01-01" }],
])("a profile with %s creates a normal user", async (_what, given) => {
  const profile = { ...newProfile(), ...given };
  const { user } = await come(profile);
  if (user) expect(user).toMatchObject({ email: profile.email, role: "user" });
});

test.each<[string, Record<string, unknown>]>([
  ["an access token with NUL", { access_token: "a\0b" }],
  ["a refresh token with NUL", { refresh_token: "a\0b" }],
  ["scopes with NUL", { scope: "a\0b c" }],
  ["a refresh token of 100 kB", { refresh_token: long }],
  ["a refresh token that is none", { refresh_token: { a: 1 } }],
  ["scopes of 100 kB", { scope: long }],
  ["ten thousand scopes", { scope: "a ".repeat(10_000) }],
  ["scopes that are none", { scope: { a: 1 } }],
  ["a token that lasts for ever", { expires_in: 1e308 }],
  ["a token that lasts longer than time", { expires_in: 8.64e15 }],
  ["a token that ended before it began", { expires_in: -1e12 }],
  ["a token that lasts no number", { expires_in: "NaN" }],
  ["a refresh token that lasts for ever", { refresh_token: "r", refresh_token_expires_in: 1e300 }],
  ["an id token that is none", { id_token: "a.b.c" }],
  ["an id token that is an object", { id_token: {} }],
])("a provider that returns %s signs in completely or not at all", async (_what, tokens) => {
  await come(newProfile(), tokens);
});
