import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expectNoLeaks, freePort } from "@latchkey/testkit";
import { afterEach, expect, test } from "vitest";
import { createVerifier } from "./create-verifier.ts";
import type { VerifiedKey } from "./verification.ts";
import type { VerifierOptions } from "./verifier-options.ts";

expectNoLeaks("file");

const token = "a token of this test";
const plain = "k".repeat(64);
const key: VerifiedKey = {
  id: "key1",
  name: null,
  start: "kkkkkk",
  prefix: null,
  userId: "user1",
  refillInterval: null,
  refillAmount: null,
  lastRefillAt: null,
  enabled: true,
  rateLimitEnabled: true,
  rateLimitTimeWindow: 86_400_000,
  rateLimitMax: 10,
  requestCount: 1,
  remaining: 4,
  lastRequest: "2030-01-01T00:00:00.000Z",
  expiresAt: null,
  createdAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2030-01-01T00:00:00.000Z",
  permissions: { invoice: ["read"] },
  metadata: { plan: "free" },
};

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

interface Asked {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Starts a local service that answers with `answer`, and records the requests. */
const serve = async (answer: RequestListener) => {
  const requests: Asked[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    void text(request).then((body) => {
      requests.push({ method, url, headers, body: JSON.parse(body) });
      answer(request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};

const send = (response: ServerResponse, body: unknown, status = 200, headers: object = {}) =>
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(typeof body === "string" ? body : JSON.stringify(body));

const good = { valid: true, error: null, key };
const answering = (body: unknown, status?: number, headers?: object) =>
  serve((_, response) => void send(response, body, status, headers));

const verifierOf = (url: VerifierOptions["url"], own: Partial<VerifierOptions> = {}) =>
  createVerifier({ url, token, ...own });

const refusal = (code: string, message = "any", more: object = {}) => ({
  valid: false,
  error: { code, message, ...more },
  key: null,
});

test("returns a valid key in its state after the use, and sends the token to the service", async () => {
  const { url, requests } = await answering(good);
  const permissions = { invoice: ["read"] };
  expect(await verifierOf(`${url}/`).verify(plain, { permissions })).toEqual({ ok: true, key });
  expect(requests).toMatchObject([
    {
      method: "POST",
      url: "/internal/api-key/verify",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: { key: plain, permissions },
    },
  ]);
});

test("calls a service below a path", async () => {
  const { url, requests } = await answering(good);
  await verifierOf(new URL(`${url}/keys/`)).verify(plain);
  expect(requests).toMatchObject([{ url: "/keys/internal/api-key/verify", body: { key: plain } }]);
});

test.each([
  [refusal("KEY_NOT_FOUND", "Invalid API key."), { reason: "malformed" }],
  [refusal("KEY_NOT_FOUND", "API Key not found"), { reason: "forbidden" }],
  [refusal("INVALID_API_KEY", "Invalid API key."), { reason: "unknown" }],
  [refusal("KEY_DISABLED"), { reason: "disabled" }],
  [refusal("KEY_EXPIRED"), { reason: "expired" }],
  [refusal("USER_IS_BANNED"), { reason: "banned" }],
  [refusal("USAGE_EXCEEDED"), { reason: "exhausted" }],
  [
    refusal("RATE_LIMITED", "any", { details: { tryAgainIn: 1_234 } }),
    { reason: "rate-limited", retryAfterMilliseconds: 1_234 },
  ],
  [refusal("RATE_LIMITED"), { reason: "rate-limited", retryAfterMilliseconds: 1_000 }],
  [
    refusal("RATE_LIMITED", "any", { details: { tryAgainIn: "soon" } }),
    { reason: "rate-limited", retryAfterMilliseconds: 1_000 },
  ],
])("the verdict %j is reported as %j", async (verdict, expected) => {
  const { url } = await answering(verdict);
  expect(await verifierOf(url).verify(plain)).toEqual({ ok: false, ...expected });
});

test.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": "tomorrow" }, 1_000],
  [{}, 1_000],
])("a throttled service with %j reports %i ms to wait", async (headers, retryAfterMilliseconds) => {
  const { url } = await answering({ message: "Too many requests" }, 429, headers);
  expect(await verifierOf(url).verify(plain)).toEqual({
    ok: false,
    reason: "throttled",
    retryAfterMilliseconds,
  });
});

test.each([
  ["a rejected token", 403, { code: "FORBIDDEN" }, /token \(403\)/],
  ["a rejected request", 400, { code: "VALIDATION_ERROR" }, /request \(400\)/],
  ["a failure", 500, "", /answered 500/],
  ["a service that is unavailable", 503, { code: "SERVICE_UNAVAILABLE" }, /answered 503/],
  ["another server", 404, "<html>", /answered 404/],
  ["no JSON", 200, "<html>", /cannot be read/],
  ["JSON that ends early", 200, '{"valid":true,"error":null,"key":{"id"', /cannot be read/],
  ["nothing", 200, "", /cannot be read/],
  ["no object", 200, "null", /not a verdict/],
  ["a list", 200, [good], /not a verdict/],
  ["another object", 200, {}, /not a verdict/],
  ["a valid key that is missing", 200, { valid: true, error: null, key: null }, /not a verdict/],
  [
    "a valid key with an error",
    200,
    { ...refusal("KEY_EXPIRED"), valid: true, key },
    /not a verdict/,
  ],
  ["a key without an owner", 200, { ...good, key: { id: "key1" } }, /not a verdict/],
  ["nearly true", 200, { ...good, valid: "true" }, /not a verdict/],
  ["a refusal without a code", 200, { valid: false, error: {}, key: null }, /not a verdict/],
  ["a key that could not be verified", 200, refusal("INTERNAL_SERVER_ERROR"), /unknown reason/],
  [
    "an unknown code of a later version",
    200,
    refusal("A_CODE_OF_LATER", `${plain} ${token}`),
    /unknown reason/,
  ],
])(
  "%s is unavailable, and the error reveals neither key nor token",
  async (_, status, body, told) => {
    const { url, requests } = await answering(body, status);
    const result = await verifierOf(url).verify(plain);
    expect(result).toEqual({ ok: false, reason: "unavailable", cause: expect.any(Error) });
    const { message } = (result as { cause: Error }).cause;
    expect(message).toMatch(told);
    expect(message).not.toMatch(new RegExp(`${plain}|${token}`));
    expect(requests).toHaveLength(1);
  },
);

test("does not read an answer of more than a mebibyte to its end", async () => {
  let isCut: Promise<unknown> | undefined;
  const { url } = await serve((_, response) => {
    isCut = once(response, "close");
    response.writeHead(200);
    const more = () => {
      while (response.write(" ".repeat(65_536)));
      response.once("drain", more);
    };
    more();
  });
  expect(await verifierOf(url, { timeoutMilliseconds: 60_000 }).verify(plain)).toMatchObject({
    reason: "unavailable",
    cause: { cause: { message: "more than 1048576 bytes" } },
  });
  await isCut;
});

test("reads a large answer within the limit", async () => {
  const metadata = { note: "é".repeat(500_000) };
  const { url } = await answering({ ...good, key: { ...key, metadata } });
  expect(await verifierOf(url).verify(plain)).toMatchObject({ ok: true, key: { metadata } });
});

test("does not follow redirects with the key", async () => {
  const elsewhere = await answering(good);
  const location = `${elsewhere.url}/internal/api-key/verify`;
  const { url } = await answering("", 307, { location });
  expect(await verifierOf(url).verify(plain)).toMatchObject({ reason: "unavailable" });
  expect(elsewhere.requests).toEqual([]);
});

test.each([
  ["nothing", ""],
  ["more characters than a key can have", "k".repeat(4_097)],
  ["no text", undefined],
])("%s is malformed, and no request is sent", async (_, given) => {
  const { url, requests } = await answering(good);
  const result = await verifierOf(url).verify(given as string); // a caller without types
  expect([result, requests]).toEqual([{ ok: false, reason: "malformed" }, []]);
});

test("a service that does not answer in time is unavailable and not called again", async () => {
  const { url, requests } = await serve(() => {});
  const result = await verifierOf([url, url], { timeoutMilliseconds: 500 }).verify(plain);
  expect(result).toMatchObject({
    reason: "unavailable",
    cause: { cause: { message: "No answer within 500 ms" } },
  });
  expect(requests).toHaveLength(1);
});

test("the deadline covers an answer that never ends", async () => {
  const { url } = await serve((_, response) => void response.writeHead(200).write('{"valid":'));
  expect(await verifierOf(url, { timeoutMilliseconds: 500 }).verify(plain)).toMatchObject({
    reason: "unavailable",
    cause: { message: "The apikey service does not answer in time" },
  });
});

test.each([
  ["never answers", () => new Promise<Response>(() => {})],
  ["never ends", async () => new Response(new ReadableStream({}))],
  [
    "never settles after a failure",
    async () =>
      new Response(new ReadableStream({ cancel: () => new Promise(() => {}) }), { status: 500 }),
  ],
])(
  "a custom fetch that %s and ignores the signal is abandoned at the deadline",
  async (_case, own) => {
    const verifier = verifierOf("http://127.0.0.1:1", { fetch: own, timeoutMilliseconds: 100 });
    expect(await verifier.verify(plain)).toMatchObject({ ok: false, reason: "unavailable" });
  },
);

test("an infinite retry time is replaced by a short one", async () => {
  const { url } = await answering(
    '{"valid":false,"key":null,"error":{"code":"RATE_LIMITED","message":"any","details":{"tryAgainIn":1e999}}}',
  );
  expect(await verifierOf(url).verify(plain)).toMatchObject({ retryAfterMilliseconds: 1_000 });
});

test("the deadline covers both attempts together", async () => {
  const { url, requests } = await serve((request) => {
    if (requests.length === 1) request.socket.destroy();
  });
  expect(await verifierOf(url, { timeoutMilliseconds: 1_000 }).verify(plain)).toMatchObject({
    reason: "unavailable",
    cause: { message: "The apikey service does not answer in time" },
  });
  expect(requests).toHaveLength(2);
});

test("an abort rejects with the caller's reason and closes the connection", async () => {
  const stop = new AbortController();
  const reason = new Error("no longer wanted");
  let isGone: Promise<unknown> | undefined;
  const { url } = await serve((_, response) => {
    isGone = once(response, "close");
    stop.abort(reason);
  });
  const { signal } = stop;
  await expect(verifierOf(url).verify(plain, { signal })).rejects.toBe(reason);
  await isGone;
});

test("an abort during the answer rejects with the caller's reason", async () => {
  const stop = new AbortController();
  const reason = new Error("no longer wanted");
  const { url } = await serve((_, response) => void response.writeHead(200).write("{"));
  const fetchAndStop: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    stop.abort(reason);
    return response;
  };
  const verifier = verifierOf(url, { fetch: fetchAndStop });
  await expect(verifier.verify(plain, { signal: stop.signal })).rejects.toBe(reason);
});

test("a signal that is already aborted sends no request", async () => {
  const { url, requests } = await answering(good);
  const signal = AbortSignal.abort("too late");
  await expect(verifierOf(url).verify(plain, { signal })).rejects.toBe("too late");
  expect(requests).toEqual([]);
});

test("retries once if the connection is lost without an answer", async () => {
  const { url, requests } = await serve((request, response) => {
    if (requests.length === 1) request.socket.destroy();
    else send(response, good);
  });
  expect(await verifierOf(url).verify(plain)).toMatchObject({ ok: true });
  expect(requests).toHaveLength(2);
});

test("a connection that is lost twice is unavailable", async () => {
  const { url, requests } = await serve((request) => void request.socket.destroy());
  expect(await verifierOf(url).verify(plain)).toMatchObject({
    reason: "unavailable",
    cause: { message: "The apikey service cannot be reached", cause: expect.any(Error) },
  });
  expect(requests).toHaveLength(2);
});

test("a connection that is lost during an answer is unavailable and not retried", async () => {
  const { url, requests } = await serve((_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"valid":', () => response.destroy());
  });
  expect(await verifierOf(url).verify(plain)).toMatchObject({
    reason: "unavailable",
    cause: { message: "The answer of the apikey service cannot be read" },
  });
  expect(requests).toHaveLength(1);
});

const awayUrl = async () => `http://127.0.0.1:${await freePort()}`;

test("if one replica is down, the next one is called, and called first from then on", async () => {
  const away = await awayUrl();
  const { url, requests } = await answering(good);
  const urls: string[] = [];
  const noting: typeof fetch = (given, init) => {
    urls.push(new URL(given as string).origin);
    return fetch(given, init);
  };
  const verifier = verifierOf([away, url], { fetch: noting });
  expect(await verifier.verify(plain)).toMatchObject({ ok: true });
  expect(await verifier.verify(plain)).toMatchObject({ ok: true });
  expect([urls, requests.length]).toEqual([[away, url, url], 2]);
});

test("a slow replica is not called first again", async () => {
  const slow = await serve(() => {});
  const { url } = await answering(good);
  const verifier = verifierOf([slow.url, url], { timeoutMilliseconds: 1_000 });
  expect(await verifier.verify(plain)).toMatchObject({ reason: "unavailable" });
  expect(await verifier.verify(plain)).toMatchObject({ ok: true });
  expect(slow.requests).toHaveLength(1);
});

test("an error response of a replica is not retried at another one", async () => {
  const failing = await answering("", 503);
  const other = await answering(good);
  const verifier = verifierOf([failing.url, other.url]);
  expect(await verifier.verify(plain)).toMatchObject({ reason: "unavailable" });
  expect(other.requests).toEqual([]);
});

test.each([
  ["no URL", { url: "nowhere" }],
  ["another protocol", { url: "ftp://localhost" }],
  ["a password in the URL", { url: "http://me:hunter2@localhost" }],
  ["a query in the URL", { url: "http://localhost?a=b" }],
  ["an empty list of URLs", { url: [] }],
  ["a bad URL in a list", { url: ["http://localhost", ""] }],
  ["no URL", { url: undefined }],
  ["no token", { token: "" }],
  ["no token", { token: undefined }],
  ["a token that no header can carry", { token: "hunter2\r\nx: y" }],
  ["no time", { timeoutMilliseconds: 0 }],
  ["a timeout that is not a number", { timeoutMilliseconds: Number.NaN }],
  ["a timeout longer than a timer supports", { timeoutMilliseconds: 2 ** 31 }],
])("%s is a TypeError that reveals no secret", (_, own) => {
  const options = { url: "http://localhost", token, ...own } as VerifierOptions;
  expect(() => createVerifier(options)).toThrow(TypeError);
  expect(() => createVerifier(options)).not.toThrow(/hunter2/);
});
