import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ stores: "postgres" });
});
afterAll(() => stack.stop());

/** What comes back for bytes that are no request of HTTP. */
const answerTo = async (bytes: string): Promise<string> => {
  const { port, hostname } = new URL(stack.origin);
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
])("%s is told with the envelope and a request id", async (_case, bytes, status) => {
  const answer = await answerTo(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual({
    code: "VALIDATION_ERROR",
    message: "Invalid body parameters",
  });
});

test("a bearer token that is longer than any of ours is no token", async () => {
  const answer = await fetch(`${stack.url}/get-session`, {
    headers: { authorization: `Bearer ${"a".repeat(20_000)}` },
  });
  expect([answer.status, await answer.text()]).toEqual([200, "null"]);
});
