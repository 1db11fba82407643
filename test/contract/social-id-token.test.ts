import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import {
  closeConnection,
  type OAuthProvider,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { credentials, reachable, testProvider } from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

/** The application's hooks before a row is created, by model. Reset after each test. */
let hooked: Partial<Record<"user" | "account" | "session", () => unknown>> = {};
const hookOf = (model: "user" | "account" | "session") => ({
  create: { before: () => hooked[model]?.() as undefined },
});

let oauth: OAuthProvider;
let system: System;
let rows: Rows;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  const { jwks } = oauth.endpoints;
  const own = { ...credentials, endpoints: { jwks } };
  system = await startSystem({
    stores: "postgres",
    config: {
      logger: { disabled: true },
      advanced: reachable,
      databaseHooks: {
        user: hookOf("user"),
        account: hookOf("account"),
        session: hookOf("session"),
      },
      socialProviders: {
        apple: { ...own, clientId: ["client-1", "client-2"] },
        google: own,
        facebook: own,
        plain: testProvider(oauth),
        closed: {
          ...testProvider(oauth),
          issuer: oauth.url,
          endpoints: { ...oauth.endpoints, userInfo: undefined },
          disableSignUp: true,
        },
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
afterEach(() => {
  hooked = {};
  oauth.reset();
});

const now = () => Math.floor(Date.now() / 1000);
const issuers: Record<string, string> = {
  apple: "https://appleid.apple.com",
  google: "https://accounts.google.com",
  facebook: "https://www.facebook.com",
};
type By = Parameters<OAuthProvider["sign"]>[1];

const tokenOf = (provider: string, claims: object, by?: By) =>
  oauth.sign(
    {
      iss: issuers[provider] ?? oauth.url,
      aud: credentials.clientId,
      iat: now(),
      exp: now() + 3_600,
      ...claims,
    },
    by,
  );

const newClaims = (own: object = {}) => ({
  sub: newEmail(),
  email: newEmail(),
  email_verified: true,
  ...own,
});

const send = async (provider: string, token: string, more: object = {}, body: object = {}) => {
  const browser = createBrowserLike(system.url);
  const idToken = { token, ...more };
  const response = await browser.post("/sign-in/social", { provider, idToken, ...body });
  return { browser, response };
};
const bring = async (provider: string, claims: object, more: object = {}, body: object = {}) =>
  send(provider, await tokenOf(provider, claims), more, body);
const answerTo = async (bringing: ReturnType<typeof send>) =>
  readResponse((await bringing).response);
const countUsers = async () => (await rows.query("select 1 from identity.user")).length;

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

describe.each([
  {
    provider: "apple",
    verified: true,
    more: { user: { name: { firstName: "Ada", lastName: "L." } } },
    name: "Ada L.",
    image: null,
  },
  {
    provider: "google",
    claims: { name: "Ada", picture: "https://example.com/a.png" },
    verified: true,
    name: "Ada",
    image: "https://example.com/a.png",
  },
  { provider: "facebook", verified: false, name: "", image: null },
])("an id token of $provider", ({ provider, claims, more, verified, name, image }) => {
  test("registers a new user with exactly these fields", async () => {
    const idClaims = newClaims(claims);
    const { browser, response } = await bring(provider, idClaims, more, {
      callbackURL: "/in",
      newUserCallbackURL: "/new",
    });
    const text = await response.text();
    expect(response.status).toBe(200);
    const body = JSON.parse(text) as { token: string; user: Record<string, unknown> };
    expect(Object.keys(body)).toEqual(["redirect", "token", "user"]);
    expect(body).toStrictEqual({
      redirect: false,
      token: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
      user: {
        id: expect.any(String) as string,
        name,
        email: idClaims.email,
        emailVerified: verified,
        image,
        createdAt: isoTime,
        updatedAt: isoTime,
      },
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^auth\\.session_token=${body.token}\\.[^;]+; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax$`,
        ),
      ),
    ]);
    expect((await readSession(browser))?.session.token).toBe(body.token);
    expect(await rows.query("select 1 from identity.verification")).toEqual([]);
  });

  test("signs in a returning user, whatever the current address", async () => {
    const idClaims = newClaims();
    const first = await answerTo(bring(provider, idClaims));
    const again = await answerTo(bring(provider, { ...idClaims, email: newEmail() }));
    const userOf = ({ body }: { body: unknown }) => (body as { user: unknown }).user;
    expect(userOf(again)).toEqual(userOf(first));
  });

  test("is accepted with the nonce that the client sends only", async () => {
    const { response } = await bring(provider, newClaims({ nonce: "n-1" }), { nonce: "n-1" });
    expect(response.status).toBe(200);
  });

  const bad: [string, () => Promise<string>, object?][] = [
    ["for another app", () => tokenOf(provider, newClaims({ aud: "another" }))],
    ["for nobody", () => tokenOf(provider, newClaims({ aud: undefined }))],
    ["of another issuer", () => tokenOf(provider, newClaims({ iss: "https://evil.example" }))],
    ["that has expired", () => tokenOf(provider, newClaims({ exp: now() - 120 }))],
    ["that never expires", () => tokenOf(provider, newClaims({ exp: undefined }))],
    ["of nobody", () => tokenOf(provider, newClaims({ sub: undefined }))],
    ["signed by somebody else", () => tokenOf(provider, newClaims(), { isForged: true })],
    ["by a key that is not known", () => tokenOf(provider, newClaims(), { kid: "unknown" })],
    ["of another nonce", () => tokenOf(provider, newClaims({ nonce: "n-1" })), { nonce: "n-2" }],
    [
      "of a nonce that the client does not name",
      () => tokenOf(provider, newClaims({ nonce: "n" })),
    ],
    [
      "without the nonce that the client names",
      () => tokenOf(provider, newClaims()),
      { nonce: "n" },
    ],
    ["that is none", async () => "a.b.c"],
    ["that is empty", async () => ""],
    [
      "without a signature",
      async () => {
        const [, payload] = (await tokenOf(provider, newClaims())).split(".");
        return `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
      },
    ],
  ];
  test.each(bad)("%s signs nobody in", async (_, token, more) => {
    const before = await countUsers();
    expect(await answerTo(send(provider, await token(), more))).toEqual(
      errorResponse(401, "INVALID_TOKEN", "invalid token"),
    );
    expect(await countUsers()).toBe(before);
  });

  test("without an address signs nobody in", async () => {
    expect(await answerTo(bring(provider, newClaims({ email: undefined })))).toEqual(
      errorResponse(401, "USER_EMAIL_NOT_FOUND", "User email not found"),
    );
  });

  test("that is malformed signs nobody in", async () => {
    expect(await answerTo(bring(provider, newClaims({ name: { a: 1 } })))).toEqual(
      errorResponse(401, "FAILED_TO_GET_USER_INFO", "Failed to get user info"),
    );
  });
});

test.each([
  ["apple", newClaims({ iat: Math.floor(Date.now() / 1000) - 7_200 })],
  ["google", newClaims({ iat: Math.floor(Date.now() / 1000) - 7_200 })],
])("rejects an id token of %s that is older than an hour", async (provider, claims) => {
  expect((await answerTo(bring(provider, claims))).status).toBe(401);
});

test("accepts an id token for any of the client's ids", async () => {
  expect((await answerTo(bring("apple", newClaims({ aud: "client-2" })))).status).toBe(200);
});

test("stores all tokens of the client with the account", async () => {
  const claims = newClaims();
  await bring("google", claims, { accessToken: "at", refreshToken: "rt", expiresAt: 1 });
  const statement = "select * from identity.account where account_id = $1";
  const sealed = expect.stringMatching(/^v1\./) as string;
  expect(await rows.query(statement, claims.sub)).toMatchObject([
    { provider_id: "google", access_token: sealed, refresh_token: sealed, id_token: sealed },
  ]);
});

test("signs nobody in while the provider's keys are unavailable", async () => {
  const token = await oauth.sign({
    iss: oauth.url,
    aud: credentials.clientId,
    exp: now() + 60,
    iat: now(),
    ...newClaims(),
  });
  oauth.responses.jwks = closeConnection;
  expect(await answerTo(send("closed", token))).toEqual(
    errorResponse(401, "INVALID_TOKEN", "invalid token"),
  );
});

test.each([
  ["plain", 404, "ID_TOKEN_NOT_SUPPORTED", "id_token not supported"],
  ["unknown", 404, "PROVIDER_NOT_FOUND", "Provider not found"],
])("the provider %s accepts no id token", async (provider, status, code, message) => {
  expect(await answerTo(send(provider, "a.b.c"))).toEqual(errorResponse(status, code, message));
});

const veto = () => false;
test.each([
  ["account not linked", "ACCOUNT_NOT_LINKED", {}],
  ["unable to create user", "UNABLE_TO_CREATE_USER", { user: veto }],
  ["unable to create user", "UNABLE_TO_CREATE_USER", { account: veto }],
  ["unable to create session", "UNABLE_TO_CREATE_SESSION", { session: veto }],
] as const)("reports why nobody is signed in: %s", async (message, code, hooks) => {
  hooked = hooks;
  const email = code === "ACCOUNT_NOT_LINKED" ? (await signUp(system)).email : newEmail();
  expect(await answerTo(bring("google", newClaims({ email })))).toEqual(
    errorResponse(401, code, message),
  );
});

test("closed registration also applies to id tokens, and requestSignUp does not open it", async () => {
  expect(await answerTo(bring("closed", newClaims(), {}, { requestSignUp: true }))).toEqual(
    errorResponse(401, "SIGNUP_DISABLED", "signup disabled"),
  );
});

test("a banned user gets the ban error", async () => {
  const claims = newClaims();
  await bring("google", claims);
  await rows.query("update identity.user set banned = true where email = $1", claims.email);
  expect(await answerTo(bring("google", claims))).toMatchObject({
    status: 403,
    body: { code: "BANNED_USER" },
    cookies: [],
  });
});

test("internal errors are not revealed", async () => {
  hooked = {
    user: () => {
      throw new Error("secret of the application");
    },
  };
  const { status, body, cookies } = await answerTo(bring("google", newClaims()));
  expect({ status, body, cookies }).toEqual({ status: 500, body: undefined, cookies: [] });
});
