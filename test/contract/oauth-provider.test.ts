import { createHash, randomUUID } from "node:crypto";
import { operations } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { race } from "../harness/race.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, signInElsewhere, signUp, type TestUser } from "../harness/users.ts";

expectNoLeaks("file");

const { oauth } = operations;
const { system, admin, rows } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    oauthProvider: { enabled: true },
    session: { cookieCache: { enabled: true } },
  },
});

const redirect_uri = "https://app.example.com/callback";
const verifier = "v".repeat(43);
const code_challenge = createHash("sha256").update(verifier).digest("base64url");

interface Registered {
  client_id: string;
  client_secret: string;
}
let client: Registered;

const register = async (own: object = {}): Promise<Registered> => {
  const body = { client_name: "An App", redirect_uris: [redirect_uri], ...own };
  return expectOk(callOperation<Registered>(admin, oauth.createOauthClient, { body }));
};
beforeAll(async () => {
  client = await register();
});

const requestOf = (own: Record<string, string> = {}): string =>
  `?${new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri,
    scope: "openid email offline_access",
    state: "a state",
    code_challenge,
    code_challenge_method: "S256",
    ...own,
  }).toString()}`;

const authorize = async (browser: BrowserLike, own?: Record<string, string>): Promise<URL> => {
  const response = await browser.get(`/oauth2/authorize${requestOf(own)}`);
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
};

/** Answers the consent page. */
const consent = async (browser: BrowserLike, page: URL, own: object = {}) => {
  const oauth_query = page.searchParams.get("query");
  const response = await browser.post("/oauth2/consent", { accept: true, oauth_query, ...own });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};

const obtainCode = async (browser: BrowserLike, own?: Record<string, string>): Promise<string> => {
  const { body } = await consent(browser, await authorize(browser, { prompt: "consent", ...own }));
  return new URL(body["url"] ?? "").searchParams.get("code") ?? "";
};

const post = async (
  path: string,
  form: Record<string, string>,
  { client_id, client_secret }: Registered = client,
) => {
  const response = await fetch(system.url + path, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
};

const exchange = (code: string, own: Record<string, string> = {}, by = client) => {
  const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
  return post("/oauth2/token", { ...form, ...own }, by);
};

const obtainTokens = async ({ browser }: Pick<TestUser, "browser">) => {
  const { status, body } = await exchange(await obtainCode(browser));
  expect(status).toBe(200);
  return body as { access_token: string; refresh_token: string; id_token: string };
};

const refresh = ({ refresh_token }: { refresh_token: string }, by = client) =>
  post("/oauth2/token", { grant_type: "refresh_token", refresh_token }, by);

const isActive = async (token: string, by = client): Promise<unknown> =>
  (await post("/oauth2/introspect", { token }, by)).body["active"];

const userinfo = (token: string) =>
  fetch(`${system.url}/oauth2/userinfo`, { headers: { authorization: `Bearer ${token}` } });

describe("the metadata", () => {
  test("is the same at each of its three addresses, for pages of any origin", async () => {
    const origin = "https://anywhere.example";
    const documents = await Promise.all(
      [
        `${system.url}/.well-known/openid-configuration`,
        `${system.origin}/.well-known/oauth-authorization-server/api/auth`,
        `${system.origin}/.well-known/openid-configuration/api/auth`,
      ].map(async (url) => {
        const response = await fetch(url, { headers: { origin } });
        expect(response.headers.get("access-control-allow-origin")).toBe("*");
        expect(response.headers.get("cache-control")).toMatch(/^public, max-age=15/);
        return response.json();
      }),
    );
    expect(documents[0]).toMatchObject({
      issuer: system.url,
      jwks_uri: `${system.url}/oauth2/jwks`,
      token_endpoint: `${system.url}/oauth2/token`,
      code_challenge_methods_supported: ["S256"],
      response_types_supported: ["code"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(documents[1]).toEqual(documents[0]);
    expect(documents[2]).toEqual(documents[0]);
  });

  test("names keys that are not those of signed tokens", async () => {
    const kidsOf = async (path: string) => {
      const { keys } = (await (await fetch(system.url + path)).json()) as {
        keys: { kid: string; alg: string; d?: string }[];
      };
      expect(keys.every(({ d }) => d === undefined)).toBe(true);
      return keys;
    };
    const keys = await kidsOf("/oauth2/jwks");
    expect(keys.map(({ alg }) => alg).toSorted()).toEqual(["ES256", "EdDSA", "RS256"]);
    const others = await kidsOf("/jwks");
    expect(others.filter(({ kid }) => keys.some((key) => key.kid === kid))).toEqual([]);
  });
});

describe("an authorization request", () => {
  test("leads to sign-in, then to consent, then back with state and issuer", async () => {
    const person = await signUp(system);
    const { browser } = await signInElsewhere(system, person);
    const anonymous = await authorize((await signUp(system)).browser);
    expect(anonymous.pathname).toBe("/account/consent");
    const { url } = { url: (await consent(browser, await authorize(browser))).body["url"] ?? "" };
    const back = new URL(url).searchParams;
    expect([back.get("state"), back.get("iss")]).toEqual(["a state", system.url]);
    // The user has consented, so the second time nothing is asked.
    expect((await authorize(browser)).searchParams.get("code")).not.toBeNull();
  });

  test("asks again for prompt=login, and goes on after a new sign-in only", async () => {
    const person = await signUp(system);
    await obtainCode(person.browser);
    const page = await authorize(person.browser, { prompt: "login" });
    expect(page.pathname).toBe("/account/sign-in");
    const back = (page.searchParams.get("redirect_to") ?? "").slice(system.url.length);
    const early = await person.browser.get(back);
    expect(new URL(early.headers.get("location") ?? "").pathname).toBe("/account/sign-in");
    const again = await authorize(person.browser, { prompt: "login" });
    const { browser } = await signInElsewhere(system, person);
    const later = await browser.get(
      (again.searchParams.get("redirect_to") ?? "").slice(system.url.length),
    );
    expect(new URL(later.headers.get("location") ?? "").searchParams.has("code")).toBe(true);
  });

  test.each([
    ["no scope", { scope: "" }, "invalid_scope"],
    ["a scope that the client does not have", { scope: "openid admin" }, "invalid_scope"],
    ["no PKCE", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    ["the plain method", { code_challenge_method: "plain" }, "invalid_request"],
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["an unknown prompt", { prompt: "dance" }, "invalid_request"],
    ["the internal prompt", { prompt: "latchkey_silent_consent" }, "invalid_request"],
    ["a fragment as response mode", { response_mode: "fragment" }, "invalid_request"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    [
      "a foreign request URI",
      { request_uri: "https://app.example.com/r" },
      "request_uri_not_supported",
    ],
    ["prompt=none and another one", { prompt: "none login" }, "invalid_request"],
    ["an unknown resource", { resource: "https://api.example.com" }, "invalid_target"],
    ["prompt=none without a session", { prompt: "none" }, "login_required"],
  ])("with %s goes back as an error", async (_, own, error) => {
    const browser = { ...(await signUp(system)).browser };
    browser.cookies.clear();
    const back = await authorize(browser, own);
    expect(back.origin + back.pathname).toBe(redirect_uri);
    expect(back.searchParams.get("error")).toBe(error);
  });

  test("for another account leads to the choice, and goes on from there", async () => {
    const { browser } = await signUp(system);
    await obtainCode(browser);
    const page = await authorize(browser, { prompt: "select_account" });
    expect(page.pathname).toBe("/account/choose");
    const back = (page.searchParams.get("redirect_to") ?? "").slice(system.url.length);
    const answer = await browser.get(back);
    expect(new URL(answer.headers.get("location") ?? "").searchParams.has("code")).toBe(true);
  });

  test("is not answered for programs that only examine its address", async () => {
    const { browser } = await signUp(system);
    await obtainCode(browser);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const url = `${system.url}/oauth2/authorize${requestOf()}`;
    const response = await fetch(url, { method: "HEAD", headers: { cookie }, redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([200, null]);
  });

  test.each([
    ["an unknown client", { client_id: "nobody" }, "invalid_client"],
    ["a client id with a NUL", { client_id: "no\0body" }, "invalid_client"],
    ["another redirect URI", { redirect_uri: `${redirect_uri}/more` }, "invalid_redirect"],
    ["a redirect URI after a tab", { redirect_uri: `\t${redirect_uri}` }, "invalid_redirect"],
  ])("with %s shows an error here", async (_, own, error) => {
    const place = await authorize((await signUp(system)).browser, own);
    expect([place.origin, place.searchParams.get("error")]).toEqual([system.origin, error]);
  });

  test("that a form of another site posts comes again as a GET", async () => {
    const response = await fetch(`${system.url}/oauth2/authorize`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: "https://app.example.com", "sec-fetch-site": "cross-site" },
      body: new URLSearchParams(requestOf()),
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toContain(
      `${system.url}/oauth2/authorize?response_type=code`,
    );
  });

  test("with form_post is answered by a page that may only post to the client", async () => {
    const { browser } = await signUp(system);
    await obtainCode(browser);
    const response = await browser.get(
      `/oauth2/authorize${requestOf({ response_mode: "form_post" })}`,
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain(
      "form-action https://app.example.com;",
    );
    expect(await response.text()).toContain('name="code"');
  });
});

describe("a consent page", () => {
  test("of a request with form_post leads to the page that posts, also with a refusal", async () => {
    for (const accept of [true, false]) {
      const { browser } = await signUp(system);
      const page = await authorize(browser, { response_mode: "form_post" });
      const { body } = await consent(browser, page, { accept });
      const posting = await (await browser.get(body["url"]?.slice(system.url.length) ?? "")).text();
      expect(posting).toContain(accept ? 'name="code"' : 'value="access_denied"');
      expect((await consent(browser, page, { accept: true })).status).toBe(400);
    }
  });

  /** Attack: a client asks by `claims` for what its scopes, which the user reads, do not contain. */
  test("gives no claims beyond the scopes that it shows", async () => {
    const { browser } = await signUp(system);
    const claims = JSON.stringify({ userinfo: { email: null, name: null } });
    const code = await obtainCode(browser, { scope: "openid", claims });
    const { body } = await exchange(code);
    expect(
      Object.keys((await (await userinfo(String(body["access_token"]))).json()) as object),
    ).toEqual(["sub"]);
  });

  test("of one user cannot be answered by another one, nor twice", async () => {
    const [ada, eve] = [await signUp(system), await signUp(system)];
    const page = await authorize(ada.browser);
    expect(await consent(eve.browser, page)).toMatchObject({
      status: 400,
      body: { message: "invalid_signature" },
    });
    expect((await consent(ada.browser, page)).status).toBe(200);
    expect((await consent(ada.browser, page)).status).toBe(400);
  });

  test("with a changed query is refused", async () => {
    const { browser } = await signUp(system);
    const page = await authorize(browser);
    const query = page.searchParams.get("query") ?? "";
    page.searchParams.set("query", query.replace("interaction=", "interaction=x"));
    expect((await consent(browser, page)).status).toBe(400);
  });

  test("that the user denies leads back as access_denied", async () => {
    const { browser } = await signUp(system);
    const { body } = await consent(browser, await authorize(browser), { accept: false });
    expect(new URL(body["url"] ?? "").searchParams.get("error")).toBe("access_denied");
  });

  test("grants fewer scopes as such, and never more than asked", async () => {
    const { browser } = await signUp(system);
    const page = await authorize(browser);
    expect((await consent(browser, page, { scope: "openid profile" })).status).toBe(400);
    const { body } = await consent(browser, page, { scope: "openid" });
    const code = new URL(body["url"] ?? "").searchParams.get("code") ?? "";
    const tokens = await exchange(code);
    expect(tokens.body).toMatchObject({ scope: "openid" });
    expect(tokens.body).not.toHaveProperty("refresh_token");
  });
});

describe("the token endpoint", () => {
  test("refuses a wrong verifier, another client and a wrong secret, and leaves the code unused", async () => {
    const { browser } = await signUp(system);
    const code = await obtainCode(browser);
    const other = await register();
    expect(await exchange(code, { code_verifier: "w".repeat(43) })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await exchange(code, {}, other)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    const wrong = await exchange(code, {}, { ...client, client_secret: "wrong" });
    expect(wrong).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(wrong.headers.get("www-authenticate")).toContain("Basic");
    expect(await exchange(code)).toMatchObject({
      status: 200,
      body: { token_type: "Bearer", expires_in: 3600 },
    });
  });

  /** Attack: a stranger sends so many names that looking for repeated ones takes minutes. */
  test("refuses forms and addresses that are too large", async () => {
    const names = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`a${index}`, ""]),
    );
    expect((await post("/oauth2/token", names)).status).toBe(413);
    const { browser } = await signUp(system);
    for (const length of [5_000, 9_000]) {
      const page = await browser.get(
        `/oauth2/authorize${requestOf({ state: "(".repeat(length) })}`,
      );
      expect(page.status).toBe(302);
      expect(page.headers.get("location")).toContain("error=invalid_request");
    }
  });

  test("takes forms only, each parameter once", async () => {
    const json = await fetch(`${system.url}/oauth2/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(json.status).toBe(415);
    const empty = await fetch(`${system.url}/oauth2/token`, { method: "POST" });
    expect([empty.status, await empty.json()]).toMatchObject([400, { error: "invalid_request" }]);
    const twice = await fetch(`${system.url}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams("grant_type=refresh_token&grant_type=refresh_token"),
    });
    expect([twice.status, await twice.json()]).toMatchObject([400, { error: "invalid_request" }]);
  });

  test("refreshes with fewer scopes without shrinking the grant", async () => {
    const tokens = await obtainTokens(await signUp(system));
    const form = {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      scope: "openid",
    };
    const fewer = await post("/oauth2/token", form);
    expect(fewer.body).toMatchObject({ scope: "openid" });
    const next = await refresh({ refresh_token: String(fewer.body["refresh_token"]) });
    expect(String(next.body["scope"]).split(" ").toSorted()).toEqual([
      "email",
      "offline_access",
      "openid",
    ]);
  });
});

describe("tokens", () => {
  test("end with a ban at once, and stay ended when it is lifted", async () => {
    const person = await signUp(system);
    const tokens = await obtainTokens(person);
    expect(await isActive(tokens.access_token)).toBe(true);
    await callAdmin(admin, "/ban-user", { userId: person.user.id });
    expect(await isActive(tokens.access_token)).toBe(false);
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect((await refresh(tokens)).status).toBe(400);
    await callAdmin(admin, "/unban-user", { userId: person.user.id });
    expect(await isActive(tokens.access_token)).toBe(false);
    expect((await refresh(tokens)).status).toBe(400);
  });

  test.each([
    ["/revoke-sessions", {}],
    [
      "/change-password",
      {
        currentPassword: "correct horse battery",
        newPassword: "another horse",
        revokeOtherSessions: true,
      },
    ],
  ])("end with %s", async (path, body) => {
    const person = await signUp(system);
    const tokens = await obtainTokens(person);
    expect((await person.browser.post(path, body)).status).toBe(200);
    expect(await isActive(tokens.access_token)).toBe(false);
    expect((await refresh(tokens)).status).toBe(400);
  });

  test("with offline_access outlive a sign-out, and others do not", async () => {
    const person = await signUp(system);
    const offline = await obtainTokens(person);
    const bound = await exchange(await obtainCode(person.browser, { scope: "openid" }));
    await person.browser.post("/sign-out");
    expect(await isActive(offline.access_token)).toBe(true);
    expect(await isActive(String(bound.body["access_token"]))).toBe(false);
  });

  test("end with the withdrawn consent, which lists show until then", async () => {
    const person = await signUp(system);
    const tokens = await obtainTokens(person);
    const list = await (await person.browser.get("/oauth2/get-consents")).json();
    const [{ id, scopes }] = list as [{ id: string; scopes: string[] }];
    expect(scopes.toSorted()).toEqual(["email", "offline_access", "openid"]);
    const more = { id, update: { scopes: [...scopes, "profile"] } };
    expect((await person.browser.post("/oauth2/update-consent", more)).status).toBe(400);
    expect(
      (await (await signUp(system)).browser.post("/oauth2/delete-consent", { id })).status,
    ).toBe(404);
    expect((await person.browser.post("/oauth2/delete-consent", { id })).status).toBe(200);
    expect(await isActive(tokens.access_token)).toBe(false);
    expect((await refresh(tokens)).status).toBe(400);
    expect((await authorize(person.browser)).pathname).toBe("/account/consent");
  });

  test("of a deleted user leave no row", async () => {
    const person = await signUp(system);
    await obtainTokens(person);
    await callAdmin(admin, "/remove-user", { userId: person.user.id });
    const query = "select count(*)::int as count from oauth.grant where user_id = $1";
    await until(async () => (await rows.query(query, person.user.id))[0]?.["count"] === 0);
  });

  test("that are revoked, unknown or of another client are answered alike", async () => {
    const tokens = await obtainTokens(await signUp(system));
    const other = await register();
    expect(await isActive(tokens.access_token, other)).toBe(false);
    expect(await post("/oauth2/revoke", { token: tokens.refresh_token }, other)).toMatchObject({
      status: 200,
    });
    expect(await isActive(tokens.access_token)).toBe(true);
    expect(await post("/oauth2/revoke", { token: "unknown" })).toMatchObject({ status: 200 });
    // A hint may be wrong (RFC 7009 section 2.1).
    const form = { token: tokens.refresh_token, token_type_hint: "access_token" };
    expect(await post("/oauth2/revoke", form)).toMatchObject({ status: 200 });
    expect(await isActive(tokens.access_token)).toBe(false);
    const foreign = await userinfo("eyJhbGciOiJub25lIn0.e30.");
    expect(foreign.status).toBe(401);
    expect(foreign.headers.get("www-authenticate")).toContain("Bearer");
  });
});

describe("a client", () => {
  test("is refused everywhere once it is disabled, and forgotten once it is deleted", async () => {
    const own = await register();
    const person = await signUp(system);
    const form = { client_id: own.client_id };
    const code = await obtainCode(person.browser, form);
    const { body } = await exchange(code, {}, own);
    const disable = { body: { ...form, update: { disabled: true } } };
    await expectOk(callOperation(admin, oauth.updateOauthClient, disable));
    expect((await refresh(body as { refresh_token: string }, own)).status).toBe(401);
    expect((await userinfo(String(body["access_token"]))).status).toBe(401);
    expect((await authorize(person.browser, form)).searchParams.get("error")).toBe(
      "client_disabled",
    );
    await expectOk(callOperation(admin, oauth.deleteOauthClient, { body: form }));
    expect((await authorize(person.browser, form)).searchParams.get("error")).toBe(
      "invalid_client",
    );
    expect(await (await person.browser.get("/oauth2/get-consents")).json()).toEqual([]);
  });

  test("gets a new secret beside the former one for a while", async () => {
    const own = await register({
      client_credentials_scopes: ["reports"],
      grant_types: ["authorization_code", "client_credentials"],
    });
    const getToken = (by: Registered) =>
      post("/oauth2/token", { grant_type: "client_credentials" }, by);
    expect(await getToken(own)).toMatchObject({ status: 200, body: { scope: "reports" } });
    const body = { client_id: own.client_id, overlapSeconds: 60 };
    const rotated = await expectOk(
      callOperation<Registered>(admin, oauth.rotateOauthClientSecret, { body }),
    );
    expect((await getToken(own)).status).toBe(200);
    expect((await getToken(rotated)).status).toBe(200);
    const last = await expectOk(
      callOperation<Registered>(admin, oauth.rotateOauthClientSecret, {
        body: { client_id: own.client_id },
      }),
    );
    expect((await getToken(own)).status).toBe(401);
    expect((await getToken(rotated)).status).toBe(401);
    expect((await getToken(last)).status).toBe(200);
  });

  test("is listed with its last use, and found by a part of its name", async () => {
    const client_name = `Élan ${randomUUID()}`;
    const own = await register({ client_name });
    const find = async (query: Record<string, unknown>) => {
      const { clients } = await expectOk(
        callOperation<{ clients: Record<string, unknown>[] }>(admin, oauth.adminListOauthClients, {
          query,
        }),
      );
      return clients;
    };
    const searchValue = client_name.slice(1).toUpperCase();
    expect(await find({ searchValue })).toMatchObject([
      { client_id: own.client_id, last_used_at: null, former_secret_until: null },
    ]);
    expect(await find({ searchValue, state: "disabled" })).toEqual([]);
    const person = await signUp(system);
    const code = await obtainCode(person.browser, { client_id: own.client_id });
    await exchange(code, {}, own);
    const [used] = await find({ ids: own.client_id, sortBy: "lastUsedAt" });
    expect(used?.["last_used_at"]).not.toBeNull();
  });

  test("loses its former secret before the end of the overlap when an admin ends it", async () => {
    const own = await register();
    const body = { client_id: own.client_id, overlapSeconds: 3_600 };
    const present = await expectOk(
      callOperation<Registered>(admin, oauth.rotateOauthClientSecret, { body }),
    );
    const params = { id: own.client_id };
    const get = callOperation<Record<string, string>>(admin, oauth.adminGetOauthClient, { params });
    expect(Date.parse((await expectOk(get))["former_secret_until"] ?? "")).toBeGreaterThan(
      Date.now(),
    );
    const end = callOperation(admin, oauth.adminEndFormerOauthSecret, { params });
    expect(await expectOk(end)).toMatchObject({ former_secret_until: null });
    expect((await post("/oauth2/introspect", { token: "none" }, own)).status).toBe(401);
    expect((await post("/oauth2/introspect", { token: "none" }, present)).status).toBe(200);
  });

  test("shows admins its users, whose tokens end when an admin withdraws their consent", async () => {
    const own = await register();
    const params = { id: own.client_id };
    const people = await Promise.all([signUp(system), signUp(system), signUp(system)]);
    const tokens = await Promise.all(
      people.map(async ({ browser }) => {
        const code = await obtainCode(browser, { client_id: own.client_id });
        return (await exchange(code, {}, own)).body as Record<string, string>;
      }),
    );
    const userIds = async () => {
      const query = { clientId: own.client_id };
      const { consents } = await expectOk(
        callOperation<{ consents: { userId: string; lastUsedAt: string }[] }>(
          admin,
          oauth.adminListOauthConsents,
          { query },
        ),
      );
      expect(consents.filter(({ lastUsedAt }) => lastUsedAt === null)).toEqual([]);
      return consents.map(({ userId }) => userId).toSorted();
    };
    const ids = people.map(({ user }) => user.id);
    expect(await userIds()).toEqual(ids.toSorted());
    const withdraw = (body: { userId?: string | undefined }) =>
      callOperation<{ count: number }>(admin, oauth.adminWithdrawOauthConsents, { params, body });
    expect(await expectOk(withdraw({ userId: ids[0] }))).toEqual({ count: 1 });
    const active = () => Promise.all(tokens.map((one) => isActive(one["access_token"] ?? "", own)));
    expect(await active()).toEqual([false, true, true]);
    // Each consent is withdrawn once, however many admins withdraw all.
    const counts = await race(() => expectOk(withdraw({})));
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    expect(await active()).toEqual([false, false, false]);
    expect(await userIds()).toEqual([]);
    const ends = await rows.query(
      "select count(*)::int as count from oauth.audit where action = 'oauth-consent.withdrawn' and before->>'clientId' = $1",
      own.client_id,
    );
    expect(ends).toEqual([{ count: 3 }]);
  });

  test("that is trusted is listed for its users, who were not asked", async () => {
    const own = await register({ skip_consent: true });
    const { browser } = await signUp(system);
    expect((await authorize(browser, { client_id: own.client_id })).searchParams.has("code")).toBe(
      true,
    );
    expect(await (await browser.get("/oauth2/get-consents")).json()).toMatchObject([
      { clientId: own.client_id, clientHosts: ["app.example.com"], scopes: [] },
    ]);
    const update = { skip_consent: false };
    await expectOk(
      callOperation(admin, oauth.updateOauthClient, {
        body: { client_id: own.client_id, update },
      }),
    );
    expect((await authorize(browser, { client_id: own.client_id })).pathname).toBe(
      "/account/consent",
    );
  });

  test.each([
    ["http to another machine", { redirect_uris: ["http://app.example.com/"] }],
    ["a fragment", { redirect_uris: [`${redirect_uri}#part`] }],
    ["a script", { redirect_uris: ["javascript:alert(1)//"] }],
    ["a script as its logo", { logo_uri: "javascript:alert(1)" }],
    ["a subject type that is not offered", { subject_type: "pairwise" }],
    ["an unknown scope", { scope: "openid everything" }],
    ["no secret and no PKCE", { token_endpoint_auth_method: "none", require_pkce: false }],
  ])("with %s is not created", async (_, own) => {
    const body = { redirect_uris: [redirect_uri], ...own };
    expect((await callOperation(admin, oauth.createOauthClient, { body })).status).toBe(400);
  });

  /** Attack: another program on the machine takes the code of one that needs neither a secret nor consent. */
  test("without a secret, on the user's machine, is not exempted from consent", async () => {
    const own = {
      redirect_uris: ["http://localhost/callback"],
      token_endpoint_auth_method: "none",
    };
    const create = (skip_consent: boolean) =>
      callOperation(admin, oauth.createOauthClient, { body: { ...own, skip_consent } });
    expect(await create(true)).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    expect(await create(false)).toMatchObject({ status: 200 });
  });

  test("is created by admins only", async () => {
    const body = { redirect_uris: [redirect_uri] };
    const refused = await callOperation(await signUp(system), oauth.createOauthClient, { body });
    expect(refused.status).toBe(403);
  });
});
