import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expectNoLeaks, freePort } from "@latchkey/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { createLatchkey } from "./create-latchkey.ts";
import type { LatchkeyOptions } from "./latchkey-options.ts";
import { claims, createTestKey, now } from "./tokens/tokens.fixture.ts";

expectNoLeaks("file");

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** Starts a local Latchkey that answers with `answer`, and records the requests. */
const serve = async (answer: RequestListener) => {
  const requests: { url: string | undefined; headers: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/api/auth`, requests };
};

const send = (response: ServerResponse, status: number, body: unknown, headers: object = {}) =>
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(typeof body === "string" ? body : JSON.stringify(body));

const user = { id: "user1", name: "Ada", email: "ada@example.com" };
const session = { id: "session1", token: "t", userId: "user1" };
const cookie = "auth.session_token=t.s";
const withCookie = { headers: { cookie } };

const answering = async (
  status: number,
  body: unknown,
  { headers = {}, ...own }: { headers?: object } & Partial<LatchkeyOptions> = {},
) => {
  const { url, requests } = await serve(
    (_, response) => void send(response, status, body, headers),
  );
  return { latchkey: createLatchkey({ url, ...own }), requests };
};

describe("the request to Latchkey", () => {
  test("carries Latchkey's cookies, and none of the application", async () => {
    const { latchkey, requests } = await answering(200, { user, session });
    const sent = `theme=dark; ${cookie}; author=x; __Secure-auth.session_data=d; =auth.; auth.`;
    await latchkey.getSession({ headers: { cookie: sent, "x-secret": "s" } });
    expect(requests.map(({ url }) => url)).toEqual(["/api/auth/get-session"]);
    expect(requests[0]?.headers["cookie"]).toBe(`${cookie}; __Secure-auth.session_data=d`);
    expect(requests[0]?.headers).not.toHaveProperty("x-secret");
  });

  test("carries the token of this service, by which Latchkey counts it", async () => {
    const { latchkey, requests } = await answering(200, null, { serviceToken: "token-of-shop" });
    await latchkey.getSession(withCookie);
    expect(requests[0]?.headers["x-service-token"]).toBe("token-of-shop");
  });

  test("carries cookies of configured names", async () => {
    const { latchkey, requests } = await answering(200, null, {
      cookiePrefix: "shop",
      cookieNames: ["sid"],
    });
    const sent = "shop.session_data=d; __Secure-sid=t; auth.session_token=u";
    await latchkey.getSession({ headers: { cookie: sent } });
    expect(requests[0]?.headers["cookie"]).toBe("shop.session_data=d; __Secure-sid=t");
  });

  test("carries the bearer token and the client's address, and asks for no refresh", async () => {
    const { latchkey, requests } = await answering(200, { user, session });
    const headers = new Headers({ authorization: "bearer  t.s" });
    await latchkey.getSession(headers, { refresh: false, clientAddress: "203.0.113.7" });
    expect(requests[0]).toMatchObject({
      url: "/api/auth/get-session?disableRefresh=true",
      headers: { authorization: "Bearer t.s", "x-forwarded-for": "203.0.113.7" },
    });
  });

  test.each([
    ["no credentials", {}],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["other cookies", { cookie: "theme=dark" }],
  ])("is not sent for %s", async (_, headers) => {
    const { latchkey, requests } = await answering(200, { user, session });
    expect(await latchkey.getSession({ headers })).toMatchObject({
      isSignedIn: false,
      refusal: null,
      user: null,
    });
    expect(requests).toEqual([]);
  });
});

test("hands back every cookie, also those that end a session", async () => {
  const lines = ["auth.session_token=; Max-Age=0; Path=/", "auth.session_data=; Max-Age=0; Path=/"];
  const { latchkey } = await answering(200, null, { headers: { "set-cookie": lines } });
  const { isSignedIn, setCookies } = await latchkey.getSession(withCookie);
  expect({ isSignedIn, setCookies }).toEqual({ isSignedIn: false, setCookies: lines });
});

describe("signed tokens", () => {
  const serveKeys = async (own: Partial<LatchkeyOptions> = {}) => {
    const key = await createTestKey("k1");
    const options = { clock: () => now, tokens: { issuer: claims.iss }, ...own };
    return { key, ...(await answering(200, { keys: [key.jwk] }, options)) };
  };
  const bearing = (token: string, own: object = {}) => ({
    headers: { authorization: `Bearer ${token}`, ...own },
  });

  test("identify the user with one request for the keys", async () => {
    const { key, latchkey, requests } = await serveKeys();
    const token = key.sign(claims);
    const results = await Promise.all(
      Array.from({ length: 16 }, () => latchkey.getSession(bearing(token))),
    );
    for (const result of results)
      expect(result).toMatchObject({ source: "token", userId: "user1", claims, setCookies: [] });
    expect(requests.map(({ url }) => url)).toEqual(["/api/auth/jwks"]);
  });

  /** Attack: a page adds a worthless token to a request whose cookie the browser sends by itself. */
  test("decide alone, even if the request has a cookie", async () => {
    const { key, latchkey, requests } = await serveKeys();
    const token = key.sign({ ...claims, exp: 1 });
    expect(await latchkey.getSession(bearing(token, { cookie }))).toMatchObject({
      isSignedIn: false,
      refusal: "expired",
    });
    expect(requests.map(({ url }) => url)).toEqual(["/api/auth/jwks"]);
  });

  test("are refused where a live session is needed", async () => {
    const { key, latchkey, requests } = await serveKeys();
    const result = await latchkey.getSession(bearing(key.sign(claims)), { live: true });
    expect(result).toMatchObject({ isSignedIn: false, refusal: "not-live" });
    expect(requests).toEqual([]);
  });

  /** Behind a rewrite, the address of Latchkey is internal, and the issuer is its public one. */
  test("of any issuer are accepted by default, if the published keys signed them for that issuer", async () => {
    const { key, latchkey } = await serveKeys({ tokens: {} });
    expect(await latchkey.verifyToken(key.sign(claims))).toMatchObject({ ok: true });
    const ofOthers = (await createTestKey("k2")).sign(claims);
    expect(await latchkey.verifyToken(ofOthers)).toEqual({ ok: false, reason: "unknown-key" });
    const forOthers = key.sign({ ...claims, aud: "https://shop.example" });
    expect(await latchkey.verifyToken(forOthers)).toEqual({ ok: false, reason: "wrong-audience" });
  });

  test("of another issuer are refused, if the issuer is set", async () => {
    const { key, latchkey } = await serveKeys({ tokens: { issuer: "https://other.example" } });
    expect(await latchkey.verifyToken(key.sign(claims))).toEqual({
      ok: false,
      reason: "wrong-issuer",
    });
  });

  test("cannot be verified if the keys are no JWKS", async () => {
    const { latchkey } = await answering(200, { keys: "none" });
    const token = (await createTestKey("k1")).sign(claims);
    await expect(latchkey.getSession(bearing(token))).rejects.toMatchObject({
      name: "LatchkeyError",
      code: "unexpected-response",
    });
  });
});

describe("failures", () => {
  test.each([
    [503, {}, "unavailable", undefined],
    [503, { "retry-after": "60" }, "unavailable", 60],
    [503, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, "unavailable", undefined],
    [429, { "retry-after": "7" }, "rate-limited", 7],
    [500, {}, "unexpected-response", undefined],
    [404, {}, "unexpected-response", undefined],
    [302, { location: "/sign-in" }, "unexpected-response", undefined],
  ])("%i with %j is %s, after one request", async (status, headers, code, retryAfterSeconds) => {
    const { latchkey, requests } = await answering(status, {}, { headers });
    await expect(latchkey.getSession(withCookie)).rejects.toMatchObject({
      name: "LatchkeyError",
      code,
      status,
      retryAfterSeconds,
    });
    expect(requests).toHaveLength(1);
  });

  test.each([
    ["no JSON", "<html>"],
    ["no object", "7"],
    ["no user", { session }],
    ["a user without an id", { user: {}, session }],
    ["no session", { user }],
  ])("200 with %s is an unexpected response", async (_, body) => {
    const { latchkey } = await answering(200, body);
    await expect(latchkey.getSession(withCookie)).rejects.toMatchObject({
      code: "unexpected-response",
    });
  });

  test("503 with Retry-After is tried again, up to twice", async () => {
    let calls = 0;
    const { url } = await serve((_, response) => {
      calls += 1;
      if (calls === 3) send(response, 200, { user, session });
      else send(response, 503, {}, { "retry-after": "0" });
    });
    const { getSession } = createLatchkey({ url });
    expect(await getSession(withCookie)).toMatchObject({ isSignedIn: true });
    calls = -3;
    await expect(getSession(withCookie)).rejects.toMatchObject({
      code: "unavailable",
      status: 503,
    });
    expect(calls).toBe(0);
  });

  test("a lost connection is tried again once", async () => {
    let calls = 0;
    const { url } = await serve((request, response) => {
      calls += 1;
      if (calls === 2) send(response, 200, { user, session });
      else request.socket.destroy();
    });
    const { getSession } = createLatchkey({ url });
    expect(await getSession(withCookie)).toMatchObject({ isSignedIn: true });
    calls = 2;
    await expect(getSession(withCookie)).rejects.toMatchObject({ code: "unreachable" });
    expect(calls).toBe(4);
  });

  test("a closed port is unreachable", async () => {
    const { getSession } = createLatchkey({ url: `http://127.0.0.1:${await freePort()}` });
    await expect(getSession(withCookie)).rejects.toMatchObject({ code: "unreachable" });
  });

  test("a Latchkey that does not answer is a timeout, without a second try", async () => {
    const { url, requests } = await serve(() => {});
    const { getSession } = createLatchkey({ url, timeoutMilliseconds: 50 });
    await expect(getSession(withCookie)).rejects.toMatchObject({ code: "timeout" });
    expect(requests).toHaveLength(1);
  });

  test("the caller's signal ends a call with its reason", async () => {
    const controller = new AbortController();
    const { url } = await serve(() => controller.abort(new Error("closed")));
    const { getSession } = createLatchkey({ url });
    const { signal } = controller;
    await expect(getSession(withCookie, { signal })).rejects.toThrow("closed");
    await expect(getSession(withCookie, { signal })).rejects.toThrow("closed");
  });

  test("an error shows neither cookie nor token", async () => {
    const { latchkey } = await answering(500, cookie);
    const error = await latchkey.getSession(withCookie).catch(String);
    expect(error).toBe("LatchkeyError: Latchkey answered 500: check the URL");
  });
});

test.each([
  ["no request", undefined],
  ["a promise of headers", Promise.resolve(new Headers())],
  ["text", "cookie"],
])("%s is a TypeError, not a signed-out user", async (_, request) => {
  const { getSession } = createLatchkey({ url: "http://localhost" });
  await expect(getSession(request as never)).rejects.toThrow(TypeError);
});

test.each([
  ["a missing URL", { url: undefined }],
  ["a URL of another scheme", { url: "ftp://localhost" }],
  ["a URL with a password", { url: "http://ada:hunter2@localhost" }],
  ["an empty issuer", { tokens: { issuer: "" } }],
  ["a service token that no header can carry", { serviceToken: "a\nb" }],
  ["no audience", { tokens: { audience: [] } }],
  ["a negative tolerance", { tokens: { clockToleranceSeconds: -1 } }],
  ["no timeout", { timeoutMilliseconds: 0 }],
  [
    "a service token that no header can carry",
    { apiKeys: { url: "http://a", token: "hunter2\n" } },
  ],
])("%s is a TypeError that reveals no secret", (_, own) => {
  const create = () => createLatchkey({ url: "http://localhost", ...own } as LatchkeyOptions);
  expect(create).toThrow(TypeError);
  expect(create).not.toThrow(/hunter2/);
});

test("API keys need their options", async () => {
  const { verifyApiKey } = createLatchkey({ url: "http://localhost" });
  await expect(verifyApiKey("key")).rejects.toThrow("apiKeys: set its url and token");
});
