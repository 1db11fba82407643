import { getEventListeners, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from "node:net";
import { pipeline } from "node:stream";
import { text } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { inspect } from "node:util";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createOutbound,
  type Outbound,
  type OutboundInit,
  type OutboundOptions,
} from "./outbound.ts";
import { OutboundError } from "./outbound-error.ts";
import { testCertificate } from "./test-certificate.fixture.ts";

const secret = "the-secret";
const bytesMax = 1_000;
const short = 100;

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let port: number;
let respond: Respond;
let requests: IncomingMessage[];
let bodies: string[];
let connectionsCount: number;
let clients: Outbound[];

const portOf = (listening: { address: () => unknown }): number =>
  (listening.address() as AddressInfo).port;

beforeEach(async () => {
  requests = [];
  bodies = [];
  clients = [];
  connectionsCount = 0;
  respond = (response) => response.end("yes");
  server = createServer((request, response) => {
    requests.push(request);
    text(request).then(
      (body) => {
        bodies.push(body);
        respond(response, request);
      },
      () => {},
    );
  });
  server.on("connection", () => connectionsCount++);
  await once(server.listen(0, "127.0.0.1"), "listening");
  port = portOf(server);
});
/** A server closes only after all requests have ended. */
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await once(server.close(), "close");
});

const client = (options: Partial<OutboundOptions> = {}): Outbound => {
  const created = createOutbound({
    privateHosts: ["127.0.0.1"],
    answerBytesMax: bytesMax,
    deadlineMilliseconds: 60_000,
    ...options,
  });
  clients.push(created);
  return created;
};

const urlTo = (host = `http://127.0.0.1:${port}`): string => `${host}/path?code=${secret}`;

const call = (init?: OutboundInit, options?: Partial<OutboundOptions>): Promise<Response> =>
  client(options).fetch(urlTo(), init);

/** Returns the reason of the failure, and checks that the logged error contains nothing of the request or the reply. */
const failureOf = async (answer: Promise<Response>): Promise<string> => {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
  return (error as OutboundError).reason;
};

const resolvingTo =
  (...addresses: string[]): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

const neverResolving: LookupFunction = () => {};

describe("a call", () => {
  test("sends its input and returns the whole reply", async () => {
    respond = (response) =>
      response
        .writeHead(401, { "content-type": "application/json", "set-cookie": ["a=1", "b=2"] })
        .end('{"error":"no"}');
    const answer = await call({
      method: "POST",
      headers: { authorization: "Basic abc", "content-type": "application/json" },
      body: "{}",
    });
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, await answer.json()]).toEqual([401, { error: "no" }]);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(requests[0]).toMatchObject({ method: "POST", url: `/path?code=${secret}` });
    expect(requests[0]?.headers).toMatchObject({
      authorization: "Basic abc",
      "content-type": "application/json",
    });
    expect(bodies).toEqual(["{}"]);
  });

  test("is a GET with our user agent and without compression by default", async () => {
    const { fetch } = client({ userAgent: "Latchkey (example.com)" });
    await fetch(new URL(urlTo()));
    expect(requests[0]).toMatchObject({
      method: "GET",
      headers: { "user-agent": "Latchkey (example.com)", "accept-encoding": "identity" },
    });
    await fetch(urlTo(), { headers: new Headers({ "User-Agent": "other" }) });
    expect(requests[1]?.headers["user-agent"]).toBe("other");
  });

  test("sends search parameters as a form unless another type is given", async () => {
    const body = new URLSearchParams({ code: "a b", state: "ü" });
    await call({ method: "POST", body });
    await call({ method: "POST", body, headers: { "content-type": "text/plain" } });
    expect(requests.map(({ headers }) => headers["content-type"])).toEqual([
      "application/x-www-form-urlencoded;charset=UTF-8",
      "text/plain",
    ]);
    expect(bodies).toEqual(["code=a+b&state=%C3%BC", "code=a+b&state=%C3%BC"]);
  });

  test("connects to the server of its URL and ignores a host header", async () => {
    await call({ headers: { host: "other.example" } });
    expect(requests[0]?.headers.host).toBe(`127.0.0.1:${port}`);
  });

  test("reuses a connection", async () => {
    const { fetch } = client();
    for (let times = 0; times < 9; times++) await fetch(urlTo());
    expect(requests).toHaveLength(9);
    // The next call may start before the connection is known to be free.
    expect(connectionsCount).toBeLessThan(3);
  });

  test("removes its listener from the caller's signal", async () => {
    const { signal } = new AbortController();
    await call({ signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("an answer", () => {
  test.each([301, 302, 303, 307, 308])("of status %i is not followed", async (status) => {
    respond = (response) => response.writeHead(status, { location: "/next" }).end();
    const answer = await call();
    expect([answer.status, answer.headers.get("location")]).toEqual([status, "/next"]);
    expect(requests).toHaveLength(1);
  });

  test.each([204, 205, 304])("of status %i has no body", async (status) => {
    respond = (response) => response.writeHead(status, status === 304 ? { etag: "a" } : {}).end();
    const answer = await call();
    expect([answer.status, answer.body, await answer.text()]).toEqual([status, null, ""]);
  });

  test("may follow early hints", async () => {
    respond = (response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" });
      response.end("yes");
    };
    const answer = await call();
    expect([answer.status, await answer.text()]).toEqual([200, "yes"]);
  });

  test.each([
    ["gzip", gzipSync("yes")],
    ["X-GZIP", gzipSync("yes")],
    ["deflate", deflateSync("yes")],
    ["br", brotliCompressSync("yes")],
    ["identity", "yes"],
  ])("in %s is decoded although it was not requested", async (encoding, body) => {
    respond = (response) => response.writeHead(200, { "content-encoding": encoding }).end(body);
    const answer = await call();
    expect(await answer.text()).toBe("yes");
    expect(answer.headers.has("content-encoding")).toBe(false);
  });

  test.each<[string, Respond]>([
    ["breaks off", (response) => response.socket?.destroy()],
    [
      "is shorter than its declared length",
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write(secret, () => response.socket?.destroy());
      },
    ],
    ["is not HTTP", (response) => response.socket?.end(`${secret}\r\n\r\n`)],
    ["has no known status", (response) => response.writeHead(999).end(secret)],
    [
      "has an unknown encoding",
      (response) => response.writeHead(200, { "content-encoding": "gzip, br" }).end(secret),
    ],
    [
      "does not match its encoding",
      (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(secret),
    ],
  ])("that %s fails as no connection", async (_case, does) => {
    respond = does;
    expect(await failureOf(call())).toBe("no connection");
  });

  test("ends at its declared length", async () => {
    respond = (response) =>
      response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nyes${secret}`);
    expect(await (await call()).text()).toBe("yes");
  });
});

/** Each would otherwise fill the service's memory. */
describe("an answer is cut off as too large", () => {
  test("not at the bound itself", async () => {
    respond = (response) => response.end("x".repeat(bytesMax));
    expect(await (await call()).text()).toHaveLength(bytesMax);
  });

  test.each<[string, Respond]>([
    ["one byte above the bound", (response) => response.end("x".repeat(bytesMax + 1))],
    ["at ten megabytes", (response) => response.end(Buffer.alloc(10_000_000))],
    [
      "when a bomb unpacks",
      (response) =>
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(bytesMax * 500))),
    ],
    [
      "with headers that never end",
      (response) => response.writeHead(200, { "x-long": "x".repeat(100_000) }).end(),
    ],
  ])("%s", async (_case, does) => {
    respond = does;
    expect(await failureOf(call())).toBe("too large");
  });

  test("if it never ends, and its connection is closed", async () => {
    let gone: Promise<unknown> | undefined;
    respond = (response) => {
      gone = once(response, "close");
      const endless = function* () {
        for (;;) yield Buffer.alloc(10_000);
      };
      pipeline(endless, response, () => {});
    };
    expect(await failureOf(call())).toBe("too large");
    await gone;
  });
});

describe("a call ends at its deadline", () => {
  test.each<[string, Respond]>([
    ["without an answer", () => {}],
    ["within an answer", (response) => response.writeHead(200).write("y")],
    [
      "during a slow reply",
      (response) => {
        const drops = setInterval(() => response.write("y"), 5);
        response.once("close", () => clearInterval(drops));
      },
    ],
  ])("%s, and its connection is closed", async (_case, does) => {
    let gone: Promise<unknown> | undefined;
    respond = (response, request) => {
      gone = once(response, "close");
      does(response, request);
    };
    expect(await failureOf(call({}, { deadlineMilliseconds: short }))).toBe("deadline");
    await gone;
  });

  test("while the name does not resolve", async () => {
    const { fetch } = client({ deadlineMilliseconds: short, lookup: neverResolving });
    expect(await failureOf(fetch(urlTo("https://provider.test")))).toBe("deadline");
  });

  test("during a TLS handshake that hangs", async () => {
    const silent = createTcpServer((socket) => socket.on("error", () => {}).resume());
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const { fetch } = client({ deadlineMilliseconds: short });
    expect(await failureOf(fetch(urlTo(`https://127.0.0.1:${portOf(silent)}`)))).toBe("deadline");
    await once(silent.close(), "close");
  });

  test("while all connections to its origin are in use", async () => {
    respond = () => {};
    const { fetch } = client({ deadlineMilliseconds: 2_000 });
    let openMax = 0;
    const open = new Set<unknown>();
    server.on("connection", (socket) => {
      open.add(socket.once("close", () => open.delete(socket)));
      openMax = Math.max(openMax, open.size);
    });
    const calls = Array.from({ length: 50 }, () => failureOf(fetch(urlTo())));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["deadline"]));
    expect(openMax).toBeLessThanOrEqual(32);
    respond = (response) => response.end("yes");
    expect(await (await fetch(urlTo())).text()).toBe("yes");
  });
});

describe("a caller that gives up", () => {
  test("before the call sends nothing", async () => {
    const aborted = call({ signal: AbortSignal.abort(new Error("given up")) });
    await expect(aborted).rejects.toThrow("given up");
    expect(requests).toEqual([]);
  });

  test("during the call closes its connection at once", async () => {
    const patience = new AbortController();
    let gone: Promise<unknown> | undefined;
    respond = (response) => {
      gone = once(response, "close");
      patience.abort();
    };
    await expect(call({ signal: patience.signal })).rejects.toMatchObject({ name: "AbortError" });
    await gone;
  });

  test("during the look-up stops waiting", async () => {
    const patience = new AbortController();
    const lookup: LookupFunction = () => patience.abort();
    const { fetch } = client({ lookup, deadlineMilliseconds: 1_000 });
    const aborted = fetch("https://provider.test", { signal: patience.signal });
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
  });
});

/** An attacker who chooses an address could otherwise reach our internal network (SSRF). */
describe("not allowed is", () => {
  test.each([
    ["plain http", "http://example.com"],
    ["another protocol", "ftp://example.com"],
    ["a file", "file:///etc/passwd"],
    ["data", `data:text/plain,${secret}`],
    ["what is no URL", secret],
    ["a user in the URL", `https://${secret}@example.com`],
    ["a password in the URL", `https://:${secret}@example.com`],
    ["a user at a private host", `http://${secret}@127.0.0.1`],
    ["loopback", "https://127.0.0.2"],
    ["loopback as one number", "https://2130706434"],
    ["loopback in hexadecimal", "https://0x7f.2"],
    ["loopback in octal", "https://0177.0.0.2"],
    ["loopback with a dot at its end", "https://127.0.0.2."],
    ["loopback in full-width digits", "https://１２７.０.０.２"],
    ["loopback in IPv6", "https://[::1]"],
    ["loopback mapped into IPv6", "https://[::ffff:127.0.0.1]"],
    ["loopback translated into IPv6", "https://[64:ff9b::127.0.0.1]"],
    ["an unspecified address", "https://0"],
    ["a private address", "https://10.0.0.1"],
    ["the metadata of a cloud", "https://169.254.169.254"],
  ])("%s", async (_case, url) => {
    let lookupsCount = 0;
    const lookup: LookupFunction = () => lookupsCount++;
    expect(await failureOf(client({ lookup }).fetch(url))).toBe("not allowed");
    expect(lookupsCount).toBe(0);
  });

  test.each([
    ["a private address", ["127.0.0.1"]],
    ["a private address next to a public one", ["93.184.216.34", "127.0.0.1"]],
    ["a private address of the other family", ["93.184.216.34", "::1"]],
    ["a mapped private address", ["::ffff:127.0.0.1"]],
    ["no address", []],
  ])("a name that resolves to %s, without a connection", async (_case, addresses) => {
    const { fetch } = client({ lookup: resolvingTo(...addresses) });
    for (let times = 0; times < 2; times++)
      expect(await failureOf(fetch(urlTo(`https://provider.test:${port}`)))).toBe("not allowed");
    expect(connectionsCount).toBe(0);
  });

  test("an invalid header, which the error does not quote", async () => {
    const headers = { authorization: `Bearer ${secret}\nx` };
    expect(await failureOf(call({ headers }))).toBe("not allowed");
  });
});

describe("a private host", () => {
  test("may be a private name with plain http", async () => {
    const { fetch } = client({ privateHosts: ["idp.test"], lookup: resolvingTo("127.0.0.1") });
    const answer = await fetch(urlTo(`http://IDP.test:${port}`));
    expect(await answer.text()).toBe("yes");
    expect(requests[0]?.headers.host).toBe(`idp.test:${port}`);
  });

  test("does not allow other names at its address", async () => {
    const { fetch, isPrivate } = client({ lookup: resolvingTo("127.0.0.1") });
    expect(isPrivate(new URL("https://idp.test/"))).toBe(false);
    expect(await failureOf(fetch(urlTo(`http://idp.test:${port}`)))).toBe("not allowed");
    expect(await failureOf(fetch(urlTo(`https://idp.test:${port}`)))).toBe("not allowed");
  });

  test.each([
    ["::1", "http://[::1]:1"],
    ["0:0:0:0:0:0:0:1", "http://[::1]:1"],
    ["idp.müller.test", "http://idp.xn--mller-kva.test:1"],
  ])("matches %s in any spelling", async (host, url) => {
    const options = { privateHosts: [host], lookup: resolvingTo("127.0.0.1") };
    const { fetch, isPrivate } = client(options);
    expect(isPrivate(new URL(url))).toBe(true);
    expect(await failureOf(fetch(url))).toBe("no connection");
  });
});

describe("over TLS", () => {
  const originals = getCACertificates("default");
  const tlsServer = createTlsServer(testCertificate, (request, response) => {
    requests.push(request);
    response.end("yes");
  });
  const options = { privateHosts: ["provider.test"], lookup: resolvingTo("127.0.0.1") };
  const url = () => urlTo(`https://provider.test:${portOf(tlsServer)}`);

  beforeEach(async () => void (await once(tlsServer.listen(0, "127.0.0.1"), "listening")));
  afterEach(async () => {
    setDefaultCACertificates(originals);
    await Promise.all(clients.map((each) => each.close()));
    await once(tlsServer.close(), "close");
  });

  test("accepts a server with a valid certificate", async () => {
    setDefaultCACertificates([...originals, testCertificate.cert]);
    const answer = await client(options).fetch(url());
    expect([answer.status, await answer.text()]).toEqual([200, "yes"]);
  });

  test("sends nothing to a server with an invalid certificate", async () => {
    expect(await failureOf(client(options).fetch(url()))).toBe("no connection");
    setDefaultCACertificates([...originals, testCertificate.cert]);
    const other = client({ ...options, privateHosts: ["other.test"] });
    const elsewhere = `https://other.test:${portOf(tlsServer)}`;
    expect(await failureOf(other.fetch(elsewhere))).toBe("no connection");
    expect(requests).toEqual([]);
  });
});

test("reports an unreachable server as no connection", async () => {
  const gone = createTcpServer();
  await once(gone.listen(0, "127.0.0.1"), "listening");
  const freed = portOf(gone);
  await once(gone.close(), "close");
  const { fetch } = client();
  expect(await failureOf(fetch(urlTo(`http://127.0.0.1:${freed}`)))).toBe("no connection");
});

test("reports an unknown name as no connection", async () => {
  const lookup: LookupFunction = (_hostname, _options, callback) =>
    callback(Object.assign(new Error(secret), { code: "ENOTFOUND" }), []);
  const { fetch } = client({ lookup });
  expect(await failureOf(fetch(urlTo("https://provider.test")))).toBe("no connection");
});

test("names the origin and the cause in an error", async () => {
  respond = (response) => response.socket?.destroy();
  await expect(call()).rejects.toThrow(`http://127.0.0.1:${port}: no connection (UND_ERR_SOCKET)`);
});

test("ends running calls and rejects new ones when it closes", async () => {
  const closing = client();
  const requestEvent = once(server, "request") as Promise<[IncomingMessage]>;
  respond = () => {};
  const under = failureOf(closing.fetch(urlTo()));
  const [request] = await requestEvent;
  const gone = once(request.socket, "close");
  await closing.close();
  expect(await under).toBe("no connection");
  await gone;
  expect(await failureOf(closing.fetch(urlTo()))).toBe("no connection");
  await closing.close();
});
