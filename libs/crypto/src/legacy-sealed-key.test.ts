import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isLegacySealed,
  openLegacyKey,
  openLegacyValue,
  sealLegacyKey,
} from "./legacy-sealed-key.ts";
import { createSecretRing } from "./secret-ring.ts";

const ring = createSecretRing(["test-secret-0123456789"]);
const nonce = Uint8Array.from({ length: 24 }, (_, index) => index);
const sealedKey =
  '"000102030405060708090a0b0c0d0e0f1011121314151617' +
  'f3fcef7e4cac6179f336f57975a4e35290e53af964316892350fd9b656"';

test("seals and opens the key of a test vector", () => {
  expect(sealLegacyKey(ring, '{"kty":"OKP"}', nonce)).toBe(sealedKey);
  expect(openLegacyKey(ring, sealedKey)).toBe('{"kty":"OKP"}');
});

test("any text survives a round trip, each time with a new nonce", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const sealed = sealLegacyKey(ring, text);
      expect(openLegacyKey(ring, sealed)).toBe(text);
      expect(sealLegacyKey(ring, text)).not.toBe(sealed);
    }),
  );
});

/** Attack: an edited stored key. Every position is tried. */
test("rejects a key with any character changed", () => {
  const opened = [...sealedKey].flatMap((original, at) =>
    [...'0123456789abcdefABCDEF" '].filter((character) => {
      if (character === original) return false;
      return (
        openLegacyKey(ring, sealedKey.slice(0, at) + character + sealedKey.slice(at + 1)) !==
        undefined
      );
    }),
  );
  expect(opened).toEqual([]);
});

test.each([
  "",
  '""',
  sealedKey.slice(1, -1),
  '{"kty":"OKP"}',
  `"${"00".repeat(39)}"`,
  `"${"00".repeat(40)}"`,
  `${sealedKey}\n`,
])("rejects the stored text %j", (stored) => expect(openLegacyKey(ring, stored)).toBeUndefined());

test("after a rotation the old secret opens, the new one seals and an unknown one is rejected", () => {
  const rotated = createSecretRing(["new", ...ring.all]);
  expect(openLegacyKey(rotated, sealedKey)).toBe('{"kty":"OKP"}');
  expect(openLegacyKey(createSecretRing(["new"]), sealLegacyKey(rotated, "key"))).toBe("key");
  expect(openLegacyKey(createSecretRing(["new"]), sealedKey)).toBeUndefined();
});

test("opens a value without quotes, whichever secret it names", () => {
  const bare = sealedKey.slice(1, -1);
  for (const stored of [bare, `$ba$1$${bare}`, `$ba$12$${bare}`]) {
    expect([isLegacySealed(stored), openLegacyValue(ring, stored)]).toEqual([
      true,
      '{"kty":"OKP"}',
    ]);
    expect(openLegacyKey(ring, JSON.stringify(stored))).toBe('{"kty":"OKP"}');
  }
  for (const stored of [sealedKey, `$ba$${bare}`, `$ba$x$${bare}`, `${bare}0`, "ya29.a0token"])
    expect([isLegacySealed(stored), openLegacyValue(ring, stored)]).toEqual([false, undefined]);
});
