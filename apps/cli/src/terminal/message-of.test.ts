import { expect, test } from "vitest";
import { messageOf } from "./message-of.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), {
  code: "ECONNREFUSED",
});

test.each([
  ["an error", new Error("no such table"), "no such table"],
  [
    "an error with a cause",
    new Error("migrating failed", { cause: refused }),
    `migrating failed: ${refused.message}`,
  ],
  ["a host with several addresses", new AggregateError([refused, refused]), refused.message],
  ["an error of several lines", new Error("one\n  two"), "one; two"],
  ["an error without a message", new TypeError(""), "TypeError"],
  ["a value that is not an error", "text", "text"],
])("formats %s on one line", (_what, error, message) => {
  expect(messageOf(error)).toBe(message);
});
