import type { LatchkeyConfig, TokenSubject } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { errorResponse, readResponse } from "../harness/responses.ts";
import { openRows } from "../harness/rows.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { signUp, type TestUser } from "../harness/users.ts";
import { useSystem } from "../harness/use-system.ts";
import { matrix } from "../harness/matrix.ts";

expectNoLeaks("file");

const unauthorized = errorResponse(401, "UNAUTHORIZED", "Unauthorized");
const notFound = { status: 404, body: undefined, cookies: [] };

type Got = { user: Record<string, unknown> & { id: string } } | null;
const userOf = async (browser: BrowserLike) => {
  const { body } = await readResponse<Got>(await browser.get("/get-session"));
  if (!body) throw new Error("there is no session");
  return body.user;
};
const tokenOf = async (browser: BrowserLike) =>
  (await readResponse<{ token: string }>(await browser.get("/token"))).body.token;
const headerOf = async (browser: BrowserLike, query = "") =>
  (await browser.get(`/get-session${query}`)).headers.get("set-auth-jwt");
const exposedBy = (response: Response) => response.headers.get("access-control-expose-headers");

/** Verifies a token as another service does, which knows only the URL of the keys. */
const verify = (system: System, token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${system.url}/jwks`)), {
    issuer: system.origin,
    audience: system.origin,
    requiredClaims: ["sub", "iat", "exp"],
  });

const withStack = (
  config: LatchkeyConfig,
  tests: (running: { system: System; ada: TestUser }) => void,
): void => {
  const running = {} as { system: System; ada: TestUser };
  beforeAll(async () => {
    running.system = await startSystem({ stores: "postgres", config });
    running.ada = await signUp(running.system);
  });
  afterAll(() => running.system.stop());
  tests(running);
};

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  /** Lifetime of the sessions created now, in milliseconds. 0 keeps the default. */
  let livesFor = 0;
  const config: LatchkeyConfig = {
    databaseHooks: {
      session: {
        create: {
          before: ({ createdAt }) =>
            livesFor
              ? { data: { expiresAt: new Date(createdAt.getTime() + livesFor) } }
              : undefined,
        },
      },
    },
  };
  const { system, rows, user: ada } = useSystem({ stores, config });

  test("jwks returns the public key with kid and alg only, without a session", async () => {
    const response = await fetch(`${system.url}/jwks`);
    expect(response.headers.get("cache-control")).toBe("public, max-age=60");
    expect(response.headers.get("content-type")).toBe("application/json");
    const [row] = await rows.query("select id from identity.signing_key");
    const x = expect.stringMatching(/^[\w-]{43}$/);
    expect(await readResponse(response)).toStrictEqual({
      status: 200,
      body: { keys: [{ kty: "OKP", crv: "Ed25519", x, alg: "EdDSA", kid: row?.["id"] }] },
      cookies: [],
    });
  });

  test("token returns a token of the user as in get-session, which others verify with jwks", async () => {
    const user = await userOf(ada.browser);
    const response = await ada.browser.get("/token");
    expect(response.headers.get("content-type")).toBe("application/json");
    const { status, body, cookies } = await readResponse<{ token: string }>(response);
    expect([status, Object.keys(body), cookies]).toEqual([200, ["token"], []]);
    const { payload, protectedHeader } = await verify(system, body.token);
    const { iat = 0 } = payload;
    expect(payload).toStrictEqual({
      ...user,
      iat,
      iss: system.origin,
      aud: system.origin,
      exp: iat + 900,
      sub: user.id,
    });
    expect(protectedHeader).toStrictEqual({ alg: "EdDSA", kid: expect.any(String) });
    expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60);
  });

  test("rejects token without a session", async () => {
    expect(await readResponse(await createBrowserLike(system.url).get("/token"))).toEqual(
      unauthorized,
    );
  });

  test.each(["/token", "/jwks"])("POST %s is not found", async (path) => {
    expect(await readResponse(await ada.browser.post(path))).toEqual(notFound);
  });

  test("get-session returns a token in a header that pages may read", async () => {
    const response = await ada.browser.get("/get-session");
    const { payload } = await verify(system, response.headers.get("set-auth-jwt") ?? "");
    expect([payload.sub, exposedBy(response)]).toEqual([ada.user.id, "set-auth-jwt"]);
  });

  test("get-session also returns it to a client without cookies", async () => {
    const headers = { authorization: `Bearer ${ada.token}` };
    const response = await fetch(`${system.url}/get-session`, { headers });
    const { payload } = await verify(system, response.headers.get("set-auth-jwt") ?? "");
    expect(payload.sub).toBe(ada.user.id);
  });

  test("a change of the user is in the next token", async () => {
    const { browser } = await signUp(system);
    const before = await headerOf(browser);
    expect((await browser.post("/update-user", { name: "Countess" })).status).toBe(200);
    const after = await headerOf(browser);
    expect(decodeJwt(before ?? "")["name"]).toBe("Ada");
    expect(decodeJwt(after ?? "")["name"]).toBe("Countess");
    expect(decodeJwt(await tokenOf(browser))["name"]).toBe("Countess");
  });

  test.each([
    ["no cookie", undefined],
    ["a cookie that opens nothing", "abc"],
  ])("get-session with %s returns no token", async (_, cookie) => {
    const browser = createBrowserLike(system.url);
    if (cookie !== undefined) browser.cookies.set("auth.session_token", cookie);
    const response = await browser.get("/get-session");
    expect([response.headers.get("set-auth-jwt"), exposedBy(response)]).toEqual([null, null]);
  });

  /** Attack: a request right after the end of a session gets a token that outlives it. */
  test("an expired session gets no token, in the header or by token", async () => {
    livesFor = 300;
    const { browser, token } = await signUp(system);
    livesFor = 0;
    const ended = await until(async () => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${system.url}/get-session?disableRefresh=true`, { headers });
      return (await response.json()) === null ? response.headers : undefined;
    });
    expect(ended.get("set-auth-jwt")).toBeNull();
    expect((await browser.get("/token")).status).toBe(401);
  });

  test("a revoked session gets no token", async () => {
    const { browser, token } = await signUp(system);
    const headers = { authorization: `Bearer ${token}` };
    await browser.post("/sign-out");
    expect((await fetch(`${system.url}/token`, { headers })).status).toBe(401);
    const response = await fetch(`${system.url}/get-session`, { headers });
    expect(response.headers.get("set-auth-jwt")).toBeNull();
  });

  test.each(["/list-sessions", "/token", "/jwks"])("%s returns no such header", async (path) => {
    expect((await ada.browser.get(path)).headers.has("set-auth-jwt")).toBe(false);
  });
});

describe("with options for the claims of a token", () => {
  const expirationTime = new Date("2100-01-01T00:00:00.000Z");
  const options: LatchkeyConfig = {
    jwt: {
      jwks: { keyPairConfig: { alg: "ES256" } },
      jwt: {
        issuer: "https://issuer.example.com",
        audience: ["https://api.example.com", "reports"],
        expirationTime,
        definePayload: ({ user, session }: TokenSubject) => ({
          mail: user.email,
          session: session.id,
          sub: "somebody else",
        }),
        getSubject: async ({ user }: TokenSubject) => `user:${user.id}`,
      },
    },
  };
  withStack(options, (running) => {
    test.each([
      ["by token", tokenOf],
      ["in the header", async (browser: BrowserLike) => (await headerOf(browser)) ?? ""],
    ])("it claims that, %s", async (_, getToken) => {
      const { system, ada } = running;
      const token = await getToken(ada.browser);
      const keys = createRemoteJWKSet(new URL(`${system.url}/jwks`));
      const { payload, protectedHeader } = await jwtVerify(token, keys);
      expect(protectedHeader.alg).toBe("ES256");
      expect(payload).toStrictEqual({
        mail: ada.email,
        session: expect.any(String),
        iat: expect.any(Number),
        iss: "https://issuer.example.com",
        aud: ["https://api.example.com", "reports"],
        exp: expirationTime.getTime() / 1000,
        sub: `user:${ada.user.id}`,
      });
    });
  });
});

describe("with additional fields of users, and sessions that each request extends", () => {
  const fields = {
    plan: { type: "string", defaultValue: "free", required: false },
    note: { type: "string", defaultValue: "between us", required: false, returned: false },
  } as const;
  const config = { user: { additionalFields: fields }, session: { updateAge: 0 } };
  withStack(config, (running) => {
    test("both tokens are returned, and pages may read both", async () => {
      const response = await running.ada.browser.get("/get-session");
      expect(response.headers.has("set-auth-token")).toBe(true);
      expect(response.headers.has("set-auth-jwt")).toBe(true);
      expect(exposedBy(response)).toBe("set-auth-token, set-auth-jwt");
    });

    /** Attack: reading hidden fields from a token. */
    test("a token has the returned fields only", async () => {
      const { browser } = running.ada;
      for (const token of [await tokenOf(browser), (await headerOf(browser)) ?? ""]) {
        const payload = decodeJwt(token);
        expect(payload["plan"]).toBe("free");
        expect(payload).not.toHaveProperty("note");
      }
    });
  });
});

describe("if definePayload throws", () => {
  let fails = false;
  const definePayload = () => {
    if (fails) throw new Error("the reason, which is nobody's business");
    return {};
  };
  withStack({ jwt: { jwt: { definePayload } } }, (running) => {
    test("the request fails without the reason, and the next one works", async () => {
      const { browser } = running.ada;
      fails = true;
      const [token, session] = [await browser.get("/token"), await browser.get("/get-session")];
      fails = false;
      expect([token.status, await token.text()]).toEqual([500, ""]);
      expect(await readResponse(session)).toEqual(
        errorResponse(500, "FAILED_TO_GET_SESSION", "Failed to get session"),
      );
      expect(decodeProtectedHeader(await tokenOf(browser)).alg).toBe("EdDSA");
    });
  });
});

describe("if the feature is off", () => {
  withStack({ jwt: { enabled: false } }, (running) => {
    test.each(["/token", "/jwks"])("%s is not found", async (path) => {
      expect(await readResponse(await running.ada.browser.get(path))).toEqual(notFound);
    });

    test("get-session returns no token", async () => {
      const response = await running.ada.browser.get("/get-session");
      expect([response.status, response.headers.has("set-auth-jwt")]).toEqual([200, false]);
    });

    test("no key is created", async () => {
      const rows = openRows(running.system);
      expect(await rows.query("select id from identity.signing_key")).toEqual([]);
      await rows.close();
    });
  });
});
