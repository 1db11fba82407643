import { Writable } from "node:stream";
import { callerHeader } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

const secret = "a secret of somebody";

/** Everything that is written of these, at the level that lets all through. */
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
  "%s is never written, at whichever depth a request or an error has it",
  (name) => {
    const held = { [name]: secret };
    const text = written(held, { headers: held }, { req: { headers: held } });
    expect(text.match(/\[redacted\]/g)).toHaveLength(3);
    expect(text).not.toContain(secret);
  },
);

test("an error of the database is told without the values that it quotes", () => {
  const detail = `Key (key)=(${secret}) already exists.`;
  const error = Object.assign(new Error("duplicate key"), { code: "23505", detail });
  const text = written({ err: error });
  expect(text).toContain("23505");
  expect(text).not.toContain(secret);
});

/** Attack: a name or an address that goes on in a line of its own, to be taken for what we said. */
test("whatever is in a text, it begins no line of its own", () => {
  const text = written({ userAgent: 'x\r\n{"level":30,"msg":"all is well"}\u2028\u0000\u001b[2J' });
  expect(text.split(/[\r\n]/)).toEqual([expect.stringContaining("all is well"), ""]);
  expect([...text].filter((character) => character < " ")).toEqual(["\n"]);
});

test("a line of a trace names it, and another one none", () => {
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
