import { createCipheriv } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seal, unseal } from "./sealed-value.ts";
import { createSecretRing } from "./secret-ring.ts";

const ring = createSecretRing(["secret"]);

test("any text survives a round trip", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (plaintext) => {
      const sealed = seal(ring, "mail content", plaintext);
      expect(sealed).toMatch(/^v1\.[\w-]+$/);
      expect(unseal(ring, "mail content", sealed)).toBe(plaintext);
    }),
  );
});

test("the format is nonce, ciphertext and tag of AES-256-GCM with the purpose authenticated", () => {
  const body = Buffer.from(seal(ring, "mail content", "text").slice(3), "base64url");
  const cipher = createCipheriv(
    "aes-256-gcm",
    ring.derive("mail content")[0],
    body.subarray(0, 12),
  );
  cipher.setAAD(Buffer.from("mail content"));
  const expected = Buffer.concat([cipher.update("text"), cipher.final(), cipher.getAuthTag()]);
  expect(body.subarray(12)).toEqual(expected);
});

test("sealing the same text twice gives different values", () => {
  const sealed = Array.from({ length: 1000 }, () => seal(ring, "mail content", "text"));
  expect(new Set(sealed).size).toBe(sealed.length);
});

/** Attack: an edited stored value. Every position is tried with every character of the alphabet. */
test("rejects a value with any character changed", () => {
  const sealed = seal(ring, "mail content", "text\ufffd");
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. é";
  const opened = [...sealed].flatMap((original, at) =>
    [...alphabet].filter((character) => {
      if (character === original) return false;
      return (
        unseal(ring, "mail content", sealed.slice(0, at) + character + sealed.slice(at + 1)) !==
        undefined
      );
    }),
  );
  expect(opened).toEqual([]);
});

/** Attack: a sealed value copied into a column with another meaning. */
test("a value does not open for another purpose", () => {
  expect(unseal(ring, "webhook secret", seal(ring, "mail content", "text"))).toBeUndefined();
});

/** Attack: a sealed value copied into the row of another user. */
test("a value does not open for another subject", () => {
  const ofUser = (subject: string) => ({ purpose: "mail content", subject }) as const;
  const sealed = seal(ring, ofUser("ada"), "text");
  expect(unseal(ring, ofUser("ada"), sealed)).toBe("text");
  expect(unseal(ring, ofUser("bob"), sealed)).toBeUndefined();
  expect(unseal(ring, "mail content", sealed)).toBeUndefined();
});

test("rejects a truncated value", () => {
  const sealed = seal(ring, "mail content", "text");
  for (let end = 0; end < sealed.length; end += 1) {
    expect(unseal(ring, "mail content", sealed.slice(0, end))).toBeUndefined();
  }
});

test("rejects arbitrary text", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .uint8Array({ maxLength: 64 })
      .map((bytes) => `v1.${Buffer.from(bytes).toString("base64url")}`),
  );
  fc.assert(
    fc.property(anything, (text) => {
      expect(unseal(ring, "mail content", text)).toBeUndefined();
    }),
  );
});

test("after a rotation the old secret opens, the new one seals and an unknown one is rejected", () => {
  const rotated = createSecretRing(["new", "secret"]);
  const old = seal(ring, "mail content", "text");
  expect(unseal(rotated, "mail content", old)).toBe("text");
  expect(
    unseal(createSecretRing(["new"]), "mail content", seal(rotated, "mail content", "text")),
  ).toBe("text");
  expect(unseal(createSecretRing(["new"]), "mail content", old)).toBeUndefined();
});
