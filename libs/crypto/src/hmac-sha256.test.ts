import { createHmac, createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { hmacSha256 } from "./hmac-sha256.ts";

const keyOf = (bytes: number) => createSecretKey(Buffer.alloc(bytes, 0xab));

test.each([1, 32, 63, 64, 65, 200])("equals Node's HMAC for a key of %i bytes", (bytes) => {
  const key = keyOf(bytes);
  const texts = ["", "a", "é€😀", "\u0000", "\ud800", "x".repeat(300), "é".repeat(5_461)];
  for (const text of [...texts, "€".repeat(5_462), "x".repeat(20_000), "a"])
    for (const encoding of ["base64", "base64url"] as const) {
      const expected = (message: string | Buffer) =>
        createHmac("sha256", key).update(message).digest(encoding);
      expect(hmacSha256(key, text, encoding)).toBe(expected(text));
      expect(hmacSha256(key, Buffer.from(text), encoding)).toBe(expected(text));
    }
});

test("messages under two keys do not affect each other", () => {
  const [one, other] = [keyOf(32), keyOf(64)];
  const long = hmacSha256(one, "a long message", "base64");
  const short = hmacSha256(other, "short", "base64");
  expect(hmacSha256(one, "a long message", "base64")).toBe(long);
  expect(hmacSha256(other, "short", "base64")).toBe(short);
  expect(hmacSha256(one, "short", "base64")).not.toBe(short);
});
