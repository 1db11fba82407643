import { hkdfSync } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretRing } from "./secret-ring.ts";

test.each([[[]], [[""]], [["good", ""]]])("rejects a ring of the secrets %j", (secrets) => {
  expect(() => createSecretRing(secrets)).toThrow(TypeError);
});

test("the first secret is the current one, and the order is kept", () => {
  const ring = createSecretRing(["new", "old"]);
  expect(ring.current).toBe("new");
  expect(ring.all).toEqual(["new", "old"]);
  expect(ring.hmacKeys.map((key) => key.export().toString())).toEqual(["new", "old"]);
});

test("a later change of the caller's list does not change the ring", () => {
  const secrets = ["first"];
  const ring = createSecretRing(secrets);
  secrets.push("second");
  expect(ring.all).toEqual(["first"]);
});

test("a derived key is 32 bytes of HKDF-SHA-256 over the secret and the purpose", () => {
  const ring = createSecretRing(["new", "old"]);
  const expected = ["new", "old"].map((secret) =>
    Buffer.from(hkdfSync("sha256", secret, "", "label", 32)),
  );
  expect(ring.derive("label").map((key) => key.export())).toEqual(expected);
});

test("each purpose has its own keys, derived once", () => {
  const ring = createSecretRing(["secret"]);
  expect(ring.derive("a")).toBe(ring.derive("a"));
  expect(ring.derive("a")[0].equals(ring.derive("b")[0])).toBe(false);
  expect(ring.derive("a")[0].equals(ring.hmacKeys[0])).toBe(false);
});
