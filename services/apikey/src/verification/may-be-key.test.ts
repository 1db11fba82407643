import { expect, test } from "vitest";
import { apiKeyConfig } from "../db/test-apikey.fixture.ts";
import { mayBeKey } from "./operations.ts";

const request = { method: "POST", path: "/api-key/verify" };
const judge = (key: string, apiKey: object = {}) =>
  mayBeKey(apiKeyConfig({ apiKey }).apiKey, key, request);

test.each([
  ["as long as keys are", "a".repeat(64), true],
  ["longer, with a prefix", `pre_${"a".repeat(64)}`, true],
  ["a character too short", "a".repeat(63), false],
  ["empty", "", false],
  ["as long as any key can be", "a".repeat(1024), true],
  ["longer than any key", "a".repeat(1025), false],
  ["with a NUL", `${"a".repeat(64)}\0`, false],
  ["with half of a surrogate pair", `${"a".repeat(64)}\uD800`, false],
])("a text that is %s may be a key: %#", async (_case, key, may) => {
  expect(await judge(key)).toBe(may);
});

test("applies the configured minimum length", async () => {
  expect(await judge("a".repeat(24), { defaultKeyLength: 24 })).toBe(true);
  expect(await judge("a".repeat(23), { defaultKeyLength: 24 })).toBe(false);
});

test.each([
  ["at once", ({ key }: { key: string }) => key.endsWith("!")],
  ["later", async ({ key }: { key: string }) => key.endsWith("!")],
])("lets the application's validator decide, %s", async (_when, customAPIKeyValidator) => {
  expect(await judge(`${"a".repeat(64)}!`, { customAPIKeyValidator })).toBe(true);
  expect(await judge("a".repeat(64), { customAPIKeyValidator })).toBe(false);
});

test("passes the request to the application's validator, and no text that cannot be a key", async () => {
  const calls: unknown[] = [];
  const customAPIKeyValidator = (data: unknown) => calls.push(data) > 0;
  const key = "a".repeat(64);
  await judge(key, { customAPIKeyValidator });
  await judge("short", { customAPIKeyValidator });
  expect(calls).toEqual([{ ctx: request, key }]);
});
