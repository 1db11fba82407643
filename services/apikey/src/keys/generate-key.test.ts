import { expect, test } from "vitest";
import { generateKey } from "./key-text.ts";

const length = 24;

test("generates a prefix with random letters, never the same twice", async () => {
  const make = (prefix: string | undefined) => generateKey({ defaultKeyLength: 64 }, prefix);
  expect(await make(undefined)).toMatch(/^[a-zA-Z]{64}$/);
  expect(await make("pre_")).toMatch(/^pre_[a-zA-Z]{64}$/);
  const keys = await Promise.all(Array.from({ length: 100 }, () => make("p")));
  expect(new Set(keys).size).toBe(100);
});

test("uses the result of the application's function as the whole key, and passes length and prefix", async () => {
  const calls: unknown[] = [];
  const customKeyGenerator = async (data: unknown) => {
    calls.push(data);
    return "ä".repeat(length);
  };
  const key = await generateKey({ customKeyGenerator, defaultKeyLength: length }, "pre_");
  expect(key).toBe("ä".repeat(length));
  expect(calls).toEqual([{ length, prefix: "pre_" }]);
});

/** Verification would always reject such a key, and the shortest ones could be guessed. */
test.each([
  ["too short", "k".repeat(length - 1)],
  ["too long", "k".repeat(1_025)],
  ["with NUL", `${"k".repeat(length)}\0`],
  ["with half of a surrogate pair", `${"k".repeat(length)}\uD800`],
  ["not a string", 42 as unknown as string],
  ["empty", ""],
])("rejects a result that is %s", async (_kind, given) => {
  const customKeyGenerator = () => given;
  await expect(
    generateKey({ customKeyGenerator, defaultKeyLength: length }, undefined),
  ).rejects.toThrow(
    "apiKey.customKeyGenerator must give text of 24 to 1024 characters, without NUL or half a letter",
  );
});
