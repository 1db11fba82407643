import { expect, test } from "vitest";
import { OutboundError } from "@latchkey/service-kit/http";
import { readRetryAfter, reasonOf } from "./send-delivery.ts";

const now = Date.parse("2030-01-02T03:04:05Z");

test.each([
  [undefined, 0],
  ["", 0],
  ["soon", 0],
  ["120", 120],
  ["Wed, 02 Jan 2030 03:05:05 GMT", 60],
  ["Wed, 02 Jan 2030 03:03:05 GMT", 0],
  ["999999", 86_400],
  ["9".repeat(400), 86_400],
])("Retry-After %s is a rest of %d seconds", (value, seconds) => {
  expect(readRetryAfter(value, now)).toBe(seconds);
});

/** Attack: a member finds out the names of internal hosts by the reasons of failures. */
test.each([
  new OutboundError("not allowed", "db.internal", "a private address"),
  new OutboundError("no connection", "https://db.internal", "ENOTFOUND"),
  new OutboundError("no connection", "https://db.internal", "EAI_AGAIN"),
])("a member cannot tell a private name from an unknown one: $message", (error) => {
  const url = "https://db.internal/hook?key=1";
  const text = "https://db.internal: no connection (the name has no public address)";
  expect(reasonOf(error, { organizationId: "o", url })).toBe(text);
  expect(reasonOf(error, { organizationId: null, url })).toBe(error.message);
});

test("a member sees why a public receiver failed", () => {
  const error = new OutboundError("no connection", "https://a.example", "ECONNREFUSED");
  expect(reasonOf(error, { organizationId: "o", url: "https://a.example/" })).toBe(error.message);
});
