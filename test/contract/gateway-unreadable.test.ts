import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readAnswers } from "../reliability/abuse/wire/read-answers.ts";
import { useSystem } from "../harness/use-system.ts";

const { system } = useSystem({ stores: "postgres" });

/** Returns the answer to bytes that are not an HTTP request. */
const answerTo = async (bytes: string): Promise<string> => {
  const { port, hostname } = new URL(system.origin);
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  return text(socket);
};

test.each([
  ["a line that is no request", "NONSENSE\r\n\r\n", 400],
  [
    "headers without end",
    `GET /api/auth/ok HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(40_000)}\r\n\r\n`,
    431,
  ],
])("%s is answered with the error envelope and a request id", async (_case, bytes, status) => {
  const answer = await answerTo(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual({
    code: "VALIDATION_ERROR",
    message: "Invalid body parameters",
  });
});

/** Attack: request smuggling. A proxy that sees another end of the request passes on the rest as another client's request. */
test.each([
  ["two kinds of length", "content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["two lengths", "content-length: 5\r\ncontent-length: 6\r\n\r\nhello"],
  ["a length that is no number", "content-length: 5, 5\r\n\r\nhello"],
  ["chunks under another name", "transfer-encoding: xchunked\r\n\r\n0\r\n\r\n"],
  [
    "chunks that are not the last encoding",
    "transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
  ],
  ["a space before a colon", "content-length : 5\r\n\r\nhello"],
  ["a header that goes on in the next line", "x: a\r\n content-length: 5\r\n\r\nhello"],
  ["lines that end by a line feed alone", "x: a\ncontent-length: 5\n\nhello"],
])("a request with %s is rejected, and nothing after it is read", async (_case, rest) => {
  const start = "POST /api/auth/sign-out HTTP/1.1\r\nhost: a\r\n";
  const next = "GET /api/auth/ok HTTP/1.1\r\nhost: a\r\n\r\n";
  const answer = await answerTo(`${start}${rest}${next}`);
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
});

/** Attack: an unreadable request is sent behind one in flight, whose sender would take the error for its own answer. */
test.each([
  ["nonsense", "NONSENSE\r\n\r\n"],
  [
    "a body in broken chunks",
    "POST /api/auth/sign-out HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
  ],
])("requests before %s are answered first and in order", async (_case, unreadable) => {
  const readable = [
    ["/api/auth/list-sessions", 401],
    ["/api/auth/ok", 200],
    ["/api/reference", 200],
    ["/nowhere", 404],
    ["/api/auth/list-sessions", 401],
  ] as const;
  const requests = readable.map(([path]) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  const { port, hostname } = new URL(system.origin);
  const socket = connect({ port: Number(port), host: hostname });
  socket.write(`${requests.join("")}${unreadable}`);
  const answers = readAnswers(Buffer.from(await text(socket)));
  expect(answers.answers.map(({ status }) => status)).toEqual([
    ...readable.map(([, status]) => status),
    400,
  ]);
  expect(answers.rest).toHaveLength(0);
});

test("a bearer token that is too long is ignored", async () => {
  const answer = await fetch(`${system.url}/get-session`, {
    headers: { authorization: `Bearer ${"a".repeat(20_000)}` },
  });
  expect([answer.status, await answer.text()]).toEqual([200, "null"]);
});
