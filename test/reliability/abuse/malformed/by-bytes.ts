import type { Chance } from "./chance.ts";

type Spoil = (bytes: Buffer, chance: Chance) => Buffer;

const headEnd = "\r\n\r\n";

const splice = (bytes: Buffer, at: number, put: Buffer | string, drop = 0): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(put as string), bytes.subarray(at + drop)]);

/** Inserts a header after the first line. */
const withHeader = (bytes: Buffer, header: string): Buffer =>
  splice(bytes, bytes.indexOf("\r\n") + 2, `${header}\r\n`);

const withLine = (bytes: Buffer, line: string): Buffer =>
  splice(bytes, 0, line, bytes.indexOf("\r\n"));

/** Complete headers that proxies and servers have parsed differently. */
const smuggling = [
  "content-length: 5\r\ntransfer-encoding: chunked",
  "transfer-encoding: chunked\r\ncontent-length: 5",
  "content-length: 5\r\ncontent-length: 6",
  "content-length: +5",
  "content-length: 0x5",
  "content-length: -1",
  "content-length: 5, 5",
  "content-length: 18446744073709551616",
  "content-length: 9007199254740993",
  "content-length:",
  "transfer-encoding: xchunked",
  "transfer-encoding: chunked, identity",
  "transfer-encoding: identity, chunked",
  "transfer-encoding:\tchunked",
  "transfer-encoding: chunked\r\ntransfer-encoding: identity",
  "transfer-encoding : chunked",
  "transfer-encoding: \u000bchunked",
  "transfer_encoding: chunked",
  "x: a\r\n content-length: 5",
  "x: a\r\n\ttransfer-encoding: chunked",
  "x: a\ntransfer-encoding: chunked",
  "x: a\rtransfer-encoding: chunked",
  "x: a\0b",
  "x\0: a",
  ": a",
  "no colon here",
  "expect: 100-continue",
  "expect: the unexpected",
  "upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAAQAAP__",
  "upgrade: websocket\r\nconnection: upgrade",
  "connection: content-length",
  "connection: close, keep-alive",
  "te: trailers\r\ntrailer: content-length",
];

const lines = [
  "GET /",
  "GET  /api/auth/ok  HTTP/1.1",
  "get /api/auth/ok HTTP/1.1",
  "GET /api/auth/ok HTTP/0.9",
  "GET /api/auth/ok HTTP/1.0",
  "GET /api/auth/ok HTTP/2.0",
  "GET /api/auth/ok HTTP/3.7",
  "GET /api/auth/ok HTTPS/1.1",
  "GET /api/auth/ok HTTP/1.1 ",
  "\r\n\r\nGET /api/auth/ok HTTP/1.1",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n",
  "CONNECT evil.com:443 HTTP/1.1",
  "CONNECT /api/auth/ok HTTP/1.1",
  "TRACE /api/auth/ok HTTP/1.1",
  "PROPFIND /api/auth/ok HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "GET * HTTP/1.1",
  "GET http://evil.com/api/auth/ok HTTP/1.1",
  "GET http://[::1/api/auth/ok HTTP/1.1",
  "GET //evil.com/api/auth/ok HTTP/1.1",
  "GET /api/auth/ok\0 HTTP/1.1",
  "GET /api/auth/%00%ff%c0%af HTTP/1.1",
  "GET /api/auth/../../../etc/passwd HTTP/1.1",
  "GET /admin/..%2f..%2f..%2fetc/passwd HTTP/1.1",
  "GET /admin/assets/%E0%A4%A HTTP/1.1",
  "GET /api/auth/ok#fragment HTTP/1.1",
  "GET /api/auth/ok?__proto__[a]=b&constructor.prototype=c HTTP/1.1",
  "POST /internal/api-key/verify HTTP/1.1",
];

const chunks = [
  "ffffffffffffffff\r\n",
  "-1\r\nx\r\n",
  "5;a=b\r\nhel",
  "5\nhello\n0\n\n",
  "zz\r\n",
  "0\r\nx-latchkey-caller: a\r\n\r\n",
  "0\r\ncontent-length: 5\r\n\r\n",
  "5\r\nhelloX\r\n0\r\n\r\n",
  "05\r\nhello\r\n00\r\n\r\n",
  " 5\r\nhello\r\n0\r\n\r\n",
  `5;${"e".repeat(20_000)}\r\nhello\r\n0\r\n\r\n`,
];

/** Replaces the body with everything after the head, as chunks. */
const withChunks = (bytes: Buffer, body: string): Buffer => {
  const head = bytes.toString("latin1", 0, bytes.indexOf(headEnd));
  const otherHeaders = head.replace(/\r\n(?:content-length|transfer-encoding):[^\r\n]*/gi, "");
  return Buffer.from(`${otherHeaders}\r\ntransfer-encoding: chunked${headEnd}${body}`, "latin1");
};

const spoils: readonly Spoil[] = [
  (bytes, chance) => {
    const spoilt = Buffer.from(bytes);
    for (let times = chance.below(5); times >= 0; times -= 1)
      spoilt[chance.below(spoilt.length)] = chance.below(256);
    return spoilt;
  },
  (bytes, chance) => splice(bytes, chance.below(bytes.length), chance.bytes(1 + chance.below(20))),
  (bytes, chance) => splice(bytes, chance.below(bytes.length), "", 1 + chance.below(20)),
  (bytes, chance) => {
    const at = chance.below(bytes.length);
    return splice(bytes, at, bytes.subarray(at, at + 1 + chance.below(60)));
  },
  (bytes, chance) => bytes.subarray(0, 1 + chance.below(bytes.length - 1)),
  (bytes, chance) => Buffer.concat([chance.bytes(1 + chance.below(200)), bytes]),
  (_bytes, chance) => chance.bytes(1 + chance.below(2_000)),
  (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
  (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\r"), "latin1"),
  (bytes, chance) =>
    Buffer.from(
      bytes.toString("latin1").replace(/\d+/g, () => "9".repeat(1 + chance.below(30))),
      "latin1",
    ),
  (bytes, chance) => withHeader(bytes, chance.pick(smuggling)),
  (bytes, chance) => withHeader(bytes, chance.pick(smuggling)),
  (bytes, chance) => withLine(bytes, chance.pick(lines)),
  (bytes, chance) => withChunks(bytes, chance.pick(chunks)),
  (bytes, chance) =>
    Buffer.concat([bytes, bytes.subarray(0, chance.below(bytes.length)), chance.bytes(20)]),
];

/** Returns a valid request, corrupted in one or two ways. */
export const byBytes = (valid: readonly Buffer[], chance: Chance): Buffer => {
  const once = chance.pick(spoils)(chance.pick(valid), chance);
  return chance.oneIn(4) && once.length > 1 ? chance.pick(spoils)(once, chance) : once;
};
