import { expectNoLeaks, until } from "@latchkey/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import {
  closeConnection,
  codeFor,
  type OAuthProvider,
  respondWith,
  startOAuthProvider,
} from "../harness/providers/oauth-provider.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { reachable, signInWith, testProvider } from "../harness/social-sign-in.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, readSession } from "../harness/users.ts";

expectNoLeaks("file");

const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const notFound = errorResponse(400, "ACCOUNT_NOT_FOUND", "Account not found");
const noneValid = errorResponse(
  400,
  "FAILED_TO_GET_A_VALID_ACCESS_TOKEN",
  "Failed to get a valid access token",
);
const notRefreshed = errorResponse(
  400,
  "FAILED_TO_REFRESH_ACCESS_TOKEN",
  "Failed to refresh access token",
);
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const serviceToken = "a token of the backoffice";

let oauth: OAuthProvider;
let usual: OAuthProvider["responses"];
let system: System;
let rows: Rows;
beforeAll(async () => {
  oauth = await startOAuthProvider();
  usual = { ...oauth.responses, revoke: respondWith({}) };
  const { revoke } = oauth.endpoints;
  const { endpoints } = testProvider(oauth) ?? {};
  const mapProfileToUser = ({ nickname }: Record<string, unknown>) => ({ nickname });
  system = await startSystem({
    stores: "postgres",
    config: {
      advanced: reachable,
      serviceTokens: { backoffice: serviceToken },
      socialProviders: {
        plain: testProvider(oauth, { endpoints: { ...endpoints, revoke }, mapProfileToUser }),
        vercel: testProvider(oauth),
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
  Object.assign(oauth.responses, usual);
  oauth.requests.length = 0;
});

let count = 0;
const newProfile = () => {
  const sub = `sub-${(count += 1)}`;
  return { sub, name: "Ada", email: newEmail(), email_verified: true, nickname: "al" };
};
const lasting = { expires_in: 3_600, token_type: "Bearer" };
/** Expires so soon that the token is refreshed on request. */
const ending = { expires_in: 1 };

interface Signed {
  browser: BrowserLike;
  profile: ReturnType<typeof newProfile>;
  issued: { tokens: Record<string, unknown> };
  userId: string;
  account: { id: string; providerId: string; accountId: string };
}

/** Signs up a user by a provider that returns these tokens in addition to an access token. */
const signIn = async (tokens: object = lasting, provider = "plain"): Promise<Signed> => {
  const profile = newProfile();
  const issued = { tokens: { ...tokens } };
  const { browser } = await signInWith(system, { profile, provider, ...issued });
  const accounts = await readResponse<Partial<Signed["account"]>[]>(
    await browser.get("/list-accounts"),
  );
  const { id: userId = "" } = (await readSession(browser))?.user ?? {};
  const [{ id = "", providerId = "", accountId = "" } = {}] = accounts.body;
  const account = { id, providerId, accountId };
  oauth.requests.length = 0;
  return { browser, profile, issued, userId, account };
};

/** Returns a refresh token that is exchanged for these tokens and an access token of the same profile. */
const refreshTokenFor = (profile: unknown, tokens: Record<string, unknown>): string =>
  codeFor(profile, { tokens });

/** Signs up a user with an expired access token and a refresh token. */
const signInDue = async (tokens: Record<string, unknown> = lasting): Promise<Signed> => {
  const signed = await signIn(ending);
  const refreshToken = refreshTokenFor(signed.profile, tokens);
  await rows.query(
    "update identity.account set refresh_token = $1 where id = $2",
    refreshToken,
    signed.account.id,
  );
  return signed;
};

const post = async ({ browser }: Pick<Signed, "browser">, path: string, body: unknown) =>
  readResponse<Record<string, unknown>>(await browser.post(path, body));

const asService = async (path: string, body: unknown, token = serviceToken) =>
  readResponse<Record<string, unknown>>(
    await fetch(`${system.urlOf("identity")}/internal${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    }),
  );

const plain = { providerId: "plain" };
const tokenRequests = () => oauth.requests.filter(({ endpoint }) => endpoint === "token");

describe.each(["/get-access-token", "/refresh-token"])("%s", (path) => {
  test.each([{}, { providerId: 1 }, { ...plain, accountId: null }, { ...plain, userId: 1 }, []])(
    "rejects the body %j before authentication",
    async (body) => {
      const anonymous = { browser: createBrowserLike(system.url) };
      const expected = { status: 400, body: { code: "VALIDATION_ERROR" }, cookies: [] };
      expect(await post(anonymous, path, body)).toMatchObject(expected);
      expect(await post(await signIn(), path, body)).toMatchObject(expected);
    },
  );

  // A form of a foreign page needs no preflight.
  test("rejects a form", async () => {
    const { browser } = await signIn();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await browser.post(path, plain, headers);
    expect([response.status, tokenRequests()]).toEqual([400, []]);
  });

  test("rejects callers without a session, whoever they name", async () => {
    const { userId } = await signIn();
    const anonymous = { browser: createBrowserLike(system.url) };
    expect(await post(anonymous, path, { ...plain, userId })).toEqual(unauthorized);
  });

  test.each(["credential", "github", "Plain", ""])(
    "reports the unconfigured provider %j as unsupported",
    async (providerId) => {
      const code = `PROVIDER_${providerId.toUpperCase()}_IS_NOT_SUPPORTED`;
      expect(await post(await signIn(), path, { providerId })).toEqual(
        errorResponse(400, code, `Provider ${providerId} is not supported.`),
      );
    },
  );

  test("an account of another user is not found", async () => {
    const [signed, other] = [await signInDue(), await signIn()];
    expect(await post(signed, path, { providerId: "vercel" })).toEqual(notFound);
    for (const accountId of ["another", "", other.account.id, other.account.accountId]) {
      expect(await post(signed, path, { ...plain, accountId })).toEqual(notFound);
      expect(await post(signed, path, { accountId })).toEqual(notFound);
    }
    const { id, accountId } = signed.account;
    expect(await post(signed, path, { accountId })).toEqual(notFound);
    expect((await post(signed, path, { accountId: id })).status).toBe(200);
  });

  // An attacker who knows a user's id must not get that user's tokens.
  test("ignores another user's id", async () => {
    const [ada, mallory] = [await signInDue(), await signInDue()];
    const { body } = await post(mallory, path, { ...plain, userId: ada.userId });
    expect(body["accessToken"]).toBe(refreshTokenFor(mallory.profile, lasting));
  });

  test("does not pass on the provider's answer", async () => {
    const signed = await signInDue();
    oauth.responses.token = respondWith({ error: "server_error", error_description: "hush" }, 500);
    const expected = path === "/refresh-token" ? notRefreshed : noneValid;
    expect(await post(signed, path, plain)).toEqual(expected);
  });

  test("the answer must not be cached", async () => {
    const { browser } = await signInDue();
    const response = await browser.post(path, plain);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });

  test("a service may name any user", async () => {
    const { userId, account, profile } = await signInDue();
    const { status, body } = await asService(path, { ...plain, userId, accountId: account.id });
    expect(status).toBe(200);
    expect(body["accessToken"]).toBe(refreshTokenFor(profile, lasting));
  });

  test("a service must name a user, before anything else is checked", async () => {
    for (const providerId of ["plain", "nowhere"])
      expect(await asService(path, { providerId })).toEqual(
        errorResponse(
          400,
          "EITHER_USERID_OR_SESSION_IS_REQUIRED",
          "Either userId or session is required",
        ),
      );
  });

  test("the services' operation requires the right token, and is unreachable from outside", async () => {
    const { browser, userId } = await signIn();
    expect((await asService(path, { ...plain, userId }, "another token")).status).toBe(403);
    expect((await browser.post(`/internal${path}`, { ...plain, userId })).status).toBe(404);
  });
});

describe("/get-access-token", () => {
  test("returns all known fields and no others", async () => {
    const refresh_token = "a refresh token";
    const lastsLong = { refresh_token, refresh_token_expires_in: 7_200 };
    const signed = await signIn({ ...lasting, ...lastsLong, scope: "a b" });
    expect(await post(signed, "/get-access-token", plain)).toEqual({
      status: 200,
      body: {
        accessToken: expect.any(String) as string,
        accessTokenExpiresAt: isoTime,
        refreshToken: refresh_token,
        refreshTokenExpiresAt: isoTime,
        scopes: ["a", "b"],
      },
      cookies: [],
    });
    expect(tokenRequests()).toEqual([]);
  });

  test("omits unknown fields, except for the scopes", async () => {
    const signed = await signIn({});
    const { body } = await post(signed, "/get-access-token", plain);
    expect(body).toEqual({ accessToken: expect.any(String) as string, scopes: [] });
  });

  test("refreshes an expired token once", async () => {
    const signed = await signInDue();
    const accessToken = refreshTokenFor(signed.profile, lasting);
    for (let time = 0; time < 2; time += 1)
      expect((await post(signed, "/get-access-token", plain)).body).toMatchObject({ accessToken });
    expect(tokenRequests()).toHaveLength(1);
  });

  test("returns an expired token unchanged if the provider cannot refresh", async () => {
    const ended = await signIn({ ...ending, refresh_token: "of no use" }, "vercel");
    const { status, body } = await post(ended, "/get-access-token", { providerId: "vercel" });
    expect([status, tokenRequests()]).toEqual([200, []]);
    expect(body).toMatchObject({ accessToken: codeFor(ended.profile, ended.issued) });
  });
});

describe("/refresh-token", () => {
  test("returns the provider's new tokens, due or not", async () => {
    const signed = await signInDue();
    const first = refreshTokenFor(signed.profile, { ...lasting, scope: "a b" });
    const rotated = { ...lasting, scope: "a b", refresh_token: first };
    await rows.query(
      "update identity.account set refresh_token = $1 where id = $2",
      refreshTokenFor(signed.profile, rotated),
      signed.account.id,
    );
    const common = { tokenType: "Bearer", accessTokenExpiresAt: isoTime, scopes: ["a", "b"] };
    const accessToken = refreshTokenFor(signed.profile, rotated);
    expect(await post(signed, "/refresh-token", plain)).toEqual({
      status: 200,
      body: { ...common, accessToken, refreshToken: first },
      cookies: [],
    });
    const { body } = await post(signed, "/refresh-token", plain);
    expect(body).toEqual({ ...common, accessToken: first });
  });

  test("names a provider whose tokens cannot be refreshed", async () => {
    const signed = await signIn(lasting, "vercel");
    expect(await post(signed, "/refresh-token", { providerId: "vercel" })).toEqual(
      errorResponse(
        400,
        "PROVIDER_VERCEL_DOES_NOT_SUPPORT_TOKEN_REFRESHING",
        "Provider vercel does not support token refreshing.",
      ),
    );
  });

  test("does not call the provider without a refresh token", async () => {
    expect(await post(await signIn(), "/refresh-token", plain)).toEqual(notRefreshed);
    expect(oauth.requests).toEqual([]);
  });
});

describe("/account-info", () => {
  const path = "/account-info";
  const infoOf = ({ sub, name, email }: Signed["profile"]) => ({
    user: { nickname: "al", id: sub, name, email, image: null, emailVerified: true },
  });

  test("returns the provider's profile and the user that it maps to", async () => {
    const signed = await signIn();
    const { profile, account } = signed;
    const expected = {
      status: 200,
      body: { ...infoOf(profile), account, data: profile },
      cookies: [],
    };
    for (const accountId of [account.id, account.accountId]) {
      expect(await post(signed, path, { accountId })).toEqual(expected);
      const query = new URLSearchParams({ accountId }).toString();
      expect(await readResponse(await signed.browser.get(`${path}?${query}`))).toEqual(expected);
    }
  });

  test("refreshes an expired access token first", async () => {
    const signed = await signInDue();
    const { accountId } = signed.account;
    expect(await post(signed, path, { accountId })).toMatchObject({ status: 200 });
    const bearer = `Bearer ${refreshTokenFor(signed.profile, lasting)}`;
    expect(oauth.requests.map(({ endpoint }) => endpoint)).toEqual(["token", "userInfo"]);
    expect(oauth.requests[1]?.headers["authorization"]).toBe(bearer);
  });

  test("reports a failed refresh as such", async () => {
    const signed = await signInDue();
    oauth.responses.token = respondWith({}, 500);
    expect(await post(signed, path, { accountId: signed.account.id })).toEqual(noneValid);
  });

  test.each([
    ["refuses", respondWith({ message: "hush" }, 403)],
    ["tells nobody", respondWith({})],
    ["does not answer", closeConnection],
  ])("reports a provider that %s as such, and no more", async (_case, respond) => {
    const signed = await signIn();
    oauth.responses.userInfo = respond;
    expect(await post(signed, path, { accountId: signed.account.id })).toEqual(
      errorResponse(401, "FAILED_TO_GET_USER_INFO", "Failed to get user info"),
    );
  });

  test("rejects a password account", async () => {
    const signed = await signIn();
    await rows.query(
      `insert into identity.account (id, user_id, provider_id, account_id, password, created_at, updated_at)
       values ($1, $2, 'credential', $2, 'a hash', now(), now())`,
      `password-of-${signed.userId}`,
      signed.userId,
    );
    expect(await post(signed, path, { accountId: signed.userId })).toEqual(
      errorResponse(
        500,
        "PROVIDER_ACCOUNT_PROVIDER_IS_CREDENTIAL_BUT_IT_IS_NOT_CONFIGURED",
        "Provider account provider is credential but it is not configured",
      ),
    );
  });

  // Ids of accounts at a provider are often public.
  test("another user's account is not found", async () => {
    const [signed, other] = [await signIn(), await signIn()];
    for (const accountId of ["another", other.account.id, other.account.accountId])
      expect(await post(signed, path, { accountId })).toEqual(notFound);
    expect(oauth.requests).toEqual([]);
  });

  test("rejects callers without a session, after an invalid body", async () => {
    const anonymous = { browser: createBrowserLike(system.url) };
    expect((await post(anonymous, path, {})).status).toBe(400);
    expect(await post(anonymous, path, { accountId: "one" })).toEqual(unauthorized);
  });
});

describe("stored tokens", () => {
  test("cannot be used by a reader of the table", async () => {
    const refresh_token = "a refresh token that rests";
    const signed = await signIn({ ...lasting, refresh_token });
    const { body } = await post(signed, "/get-access-token", plain);
    const dump = JSON.stringify(await rows.query("select * from identity.account"));
    expect(dump).toContain(signed.account.id);
    for (const token of [refresh_token, String(body["accessToken"])])
      expect(dump).not.toContain(token);
  });

  test("are revoked at the provider once the account is unlinked", async () => {
    const signed = await signIn({ ...lasting, refresh_token: "to be ended" });
    await rows.query(
      `insert into identity.account (id, user_id, provider_id, account_id, password, created_at, updated_at)
       values ($1, $2, 'credential', $2, 'a hash', now(), now())`,
      `password-of-${signed.userId}`,
      signed.userId,
    );
    const body = { ...plain, accountId: signed.account.id };
    expect((await post(signed, "/unlink-account", body)).status).toBe(200);
    const revocation = await until(() =>
      oauth.requests.find(({ endpoint }) => endpoint === "revoke"),
    );
    expect(revocation.parameters).toMatchObject({
      token: "to be ended",
      token_type_hint: "refresh_token",
    });
  });
});

test("with account.returnRefreshToken off no refresh token is returned", async () => {
  const quiet = await startSystem({
    stores: "postgres",
    config: {
      advanced: reachable,
      account: { returnRefreshToken: false },
      socialProviders: { plain: testProvider(oauth) },
    },
  });
  try {
    const profile = newProfile();
    const refreshed = { ...lasting, refresh_token: "the next one" };
    const tokens = { ...lasting, refresh_token: refreshTokenFor(profile, refreshed) };
    const { browser } = await signInWith(quiet, { profile, tokens });
    for (const path of ["/get-access-token", "/refresh-token"]) {
      const { status, body } = await post({ browser }, path, plain);
      expect(status).toBe(200);
      expect(body).toHaveProperty("accessToken");
      expect(body).not.toHaveProperty("refreshToken");
    }
  } finally {
    await quiet.stop();
  }
});
