import { createSecretRing, signValue } from "@latchkey/crypto";
import { expect, test } from "vitest";
import { readBearerToken } from "./bearer-token.ts";

const older = createSecretRing(["an older secret of enough length"]);
const ring = createSecretRing([
  "a secret that signs, of enough length",
  "an older secret of enough length",
]);
const stranger = createSecretRing(["the secret of somebody else"]);
const on = { enabled: true, requireSignature: false };
const signed = signValue(ring, "token");

test.each([
  ["a raw token", "Bearer token"],
  ["a signed token", `Bearer ${signed}`],
  ["a signed token, decoded", `Bearer ${decodeURIComponent(signed)}`],
  ["a token that an older secret signed", `Bearer ${signValue(older, "token")}`],
  ["a scheme in any case", "BEARER token"],
  ["more than one space", "Bearer   token "],
  ["no scheme", "token"],
])("%s names the session", (_case, authorization) => {
  expect(readBearerToken(ring, on, authorization)).toBe("token");
});

test.each([
  ["no header", undefined],
  ["an empty header", ""],
  ["a scheme alone", "Bearer"],
  ["a scheme and spaces", "Bearer   "],
  ["another scheme", "Basic token"],
  ["two tokens", "Bearer token token"],
  ["a list of tokens", "Bearer token, Bearer token"],
  ["a signature under a foreign secret", `Bearer ${signValue(stranger, "token")}`],
  ["the signature of another token", `Bearer other${signed.slice("token".length)}`],
  ["an empty signature", "Bearer token."],
  ["a malformed escape", `Bearer ${signed}%zz`],
])("%s names no session", (_case, authorization) => {
  expect(readBearerToken(ring, on, authorization)).toBeUndefined();
});

test("ignores a raw token if a signature is required", () => {
  const strict = { enabled: true, requireSignature: true };
  expect(readBearerToken(ring, strict, "Bearer token")).toBeUndefined();
  expect(readBearerToken(ring, strict, `Bearer ${signed}`)).toBe("token");
});

test("ignores every token while the feature is off", () => {
  const off = { enabled: false, requireSignature: false };
  expect(readBearerToken(ring, off, "Bearer token")).toBeUndefined();
  expect(readBearerToken(ring, off, `Bearer ${signed}`)).toBeUndefined();
});
