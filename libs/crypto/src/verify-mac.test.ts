import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretRing } from "./secret-ring.ts";
import { verifyMac } from "./verify-mac.ts";

const ring = createSecretRing(["new", "old"]);

test.each(["new", "old"])("accepts a MAC under the secret %j of the ring", (secret) => {
  const text = createHmac("sha256", secret).update("message").digest("base64url");
  expect(verifyMac(ring, "message", { text, encoding: "base64url" })).toBe(true);
  expect(verifyMac(ring, Buffer.from("message"), { text, encoding: "base64url" })).toBe(true);
  expect(verifyMac(ring, "massage", { text, encoding: "base64url" })).toBe(false);
});

test("accepts only one spelling of a MAC", () => {
  const text = createHmac("sha256", "new").update("message").digest("base64url");
  for (const other of [
    `${text}=`,
    ` ${text}`,
    `${text.slice(0, -1)}\u0141`,
    text.slice(0, -1),
    "",
  ]) {
    expect(verifyMac(ring, "message", { text: other, encoding: "base64url" })).toBe(false);
  }
});
