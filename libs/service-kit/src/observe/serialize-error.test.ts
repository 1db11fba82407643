import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

const address = "ada.lovelace@example.com";
const token = "v1.c2VhbGVkLXRva2Vu";
const plain = "Ada's own answer";

/** Returns the line of an error under a member name. */
const lineOf = (error: unknown, member = "err"): string => {
  let text = "";
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  createLogger({ service: "test", level: "trace", destination }).error({ [member]: error }, "x");
  return text;
};

const withMembers = (error: Error, members: object) => Object.assign(error, members);
const jsonError = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
};

/** Attack: reading logs. Each driver puts what it was given on its errors or into their messages. */
const errors: Record<string, unknown> = {
  "a Redis command": withMembers(new Error("OOM command not allowed"), {
    command: { name: "set", args: [address, token, plain] },
    previousErrors: [withMembers(new Error("x"), { command: { args: [token] } })],
  }),
  "a Redis command that the server does not know": new Error(
    `ERR unknown command 'SETT', with args beginning with: '${plain}' '${token}'`,
  ),
  "a violated constraint of Postgres": withMembers(new Error("duplicate key value"), {
    code: "23505",
    detail: `Key (email)=(${address}) already exists.`,
    where: `COPY user, line 1: "${plain}"`,
    internalQuery: `select '${token}'`,
    hint: plain,
  }),
  "a value that Postgres rejects": withMembers(
    new Error(`invalid input syntax for type json: "${plain}"`),
    { code: "22P02" },
  ),
  "a long value that Postgres rejects": withMembers(
    new Error(`invalid input syntax for type json: "${plain}${"a".repeat(5_000)}"`),
    { code: "22P02" },
  ),
  "a message that ends within an address": new Error(`${"a ".repeat(995)}${address}`),
  "a recipient that SMTP rejects": withMembers(
    new Error(`Can't send mail - all recipients were rejected: 550 <${address}>: no such user`),
    {
      code: "EENVELOPE",
      command: `RCPT TO:<${address}>`,
      response: `550 <${address}>`,
      rejected: [address],
      rejectedErrors: [new Error(address)],
    },
  ),
  "a request to a URL with a token": withMembers(
    new TypeError(`fetch failed for https://ada:${token}@example.com/a?token=${token}`),
    { url: token, request: { body: plain }, options: { headers: { authorization: token } } },
  ),
  "a text that is no JSON": jsonError(plain),
  "an argument that Node rejects": withMembers(
    new TypeError(`The argument 'path' must be a string. Received '${plain}'`),
    { code: "ERR_INVALID_ARG_VALUE", input: plain },
  ),
  "a cause": new Error("outer", {
    cause: withMembers(new Error("inner"), { command: { args: [token] } }),
  }),
  "errors of an aggregate": new AggregateError(
    [withMembers(new Error("one"), { lastNodeError: { command: [token] } })],
    "all",
  ),
  "a thrown text": plain,
  "a thrown object": { message: plain, args: [token] },
};

test.each(Object.entries(errors))("logs no input of %s", (_name, error) => {
  const line = lineOf(error);
  for (const text of [address, token, plain]) expect(line).not.toContain(text);
});

// Attack: one request with a long value that an error repeats would keep the process busy for minutes.
test("takes no long time for a long message", () => {
  const began = performance.now();
  const line = lineOf(new Error(`no such key: ${"a".repeat(400_000)}`));
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(line.length).toBeLessThan(10_000);
});

test("reduces an error under any member", () => {
  expect(lineOf(errors["a Redis command"], "reason")).not.toContain(token);
});

test("logs class, message, code, frames and causes", () => {
  const cause = withMembers(new RangeError("too far"), { code: "23505", constraint: "user_key" });
  const { err } = JSON.parse(lineOf(new Error("failed", { cause }))) as { err: object };
  expect(err).toMatchObject({
    type: "Error",
    message: "failed",
    stack: expect.stringMatching(/^Error: failed\n\s+at /),
    cause: { type: "RangeError", message: "too far", code: "23505", constraint: "user_key" },
  });
});
