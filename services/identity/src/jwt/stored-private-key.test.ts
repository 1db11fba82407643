import { createSecretRing, type Jwk, sealLegacyKey, seal } from "@latchkey/crypto";
import { expect, test } from "vitest";
import { openPrivateKey, storePrivateKey } from "./signing-key-rules.ts";

const jwk: Jwk = { kty: "OKP", crv: "Ed25519", x: "public", d: "private" };
const ring = createSecretRing(["a secret for tests"]);
const rotated = createSecretRing(["a newer secret", ...ring.all]);
const foreign = createSecretRing(["the secret of others"]);
const sealed = storePrivateKey(ring, jwk, { disablePrivateKeyEncryption: false });
const clear = storePrivateKey(ring, jwk, { disablePrivateKeyEncryption: true });
const legacy = sealLegacyKey(ring, JSON.stringify(jwk));

test.each([
  ["sealed", sealed],
  ["in clear", clear],
  ["sealed as other databases have it", legacy],
])("opens a key %s, also after the secret was replaced", (_, stored) => {
  expect(openPrivateKey(ring, stored)).toEqual(jwk);
  expect(openPrivateKey(rotated, stored)).toEqual(jwk);
});

test("a sealed key reveals nothing private, and one in clear text is its JSON", () => {
  expect(Buffer.from(sealed.slice(3), "base64url").toString("latin1")).not.toContain("private");
  expect(JSON.parse(clear)).toEqual(jwk);
});

/** Attack: a copy of the table, read with another secret. */
test.each([
  ["sealed", sealed],
  ["sealed as other databases have it", legacy],
])("does not open a key %s with another secret", (_, stored) => {
  expect(openPrivateKey(foreign, stored)).toBeUndefined();
});

/** Attack: a sealed value of another column copied into this one. */
test("does not open a value that was sealed for another purpose", () => {
  const other = seal(ring, "session token", JSON.stringify(jwk));
  expect(openPrivateKey(ring, other)).toBeUndefined();
});

test.each(["", "{", "[]", '""', "null", "v1.", '"00"', "{}x"])(
  "the stored text %j is not a key",
  (stored) => expect(openPrivateKey(ring, stored)).toBeUndefined(),
);

test.each(["null", "[]", "1", '"text"'])("%s, sealed, is not a key", (json) => {
  expect(openPrivateKey(ring, seal(ring, "signing key", json))).toBeUndefined();
});
