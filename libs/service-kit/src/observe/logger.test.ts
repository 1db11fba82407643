import { Writable } from "node:stream";
import { callerHeader } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

const secret = "a secret of somebody";

/** Returns the log output of these objects at the lowest level. */
const written = (...logged: object[]): string => {
  let text = "";
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  const logger = createLogger({ service: "test", level: "trace", destination });
  for (const each of logged) logger.trace(each, "a line");
  return text;
};

test.each(["password", "token", "key", "authorization", "cookie", "x-api-key", callerHeader])(
  "redacts %s at any depth of a request or an error",
  (name) => {
    const fields = { [name]: secret };
    const text = written(fields, { headers: fields }, { req: { headers: fields } });
    expect(text.match(/\[redacted\]/g)).toHaveLength(3);
    expect(text).not.toContain(secret);
  },
);

test("omits the values that a database error quotes", () => {
  const detail = `Key (key)=(${secret}) already exists.`;
  const error = Object.assign(new Error("duplicate key"), { code: "23505", detail });
  const text = written({ err: error });
  expect(text).toContain("23505");
  expect(text).not.toContain(secret);
});

/** Attack: a name or an address with a line break, which forges a log line. */
test("escapes line breaks and control characters in texts", () => {
  const text = written({ userAgent: 'x\r\n{"level":30,"msg":"all is well"}\u2028\u0000\u001b[2J' });
  expect(text.split(/[\r\n]/)).toEqual([expect.stringContaining("all is well"), ""]);
  expect([...text].filter((character) => character < " ")).toEqual(["\n"]);
});

test("adds the trace id only within a trace", () => {
  const ids = ["0af7651916cd43dd8448eb211c80319c", undefined];
  let text = "";
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  const tracing = { traceId: () => ids.shift() };
  const logger = createLogger({ service: "test", level: "info", destination, tracing });
  logger.info("within");
  logger.info("without");
  const [within, without] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(within).toMatchObject({ trace_id: "0af7651916cd43dd8448eb211c80319c" });
  expect(without).not.toHaveProperty("trace_id");
});
