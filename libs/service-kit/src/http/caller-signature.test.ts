import type { Caller } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { expect, test } from "vitest";
import { signCaller, verifyCaller } from "./caller-signature.ts";

const ring = createSecretRing(["the first secret"]);
const caller: Caller = {
  requestId: "r",
  operation: "getSession",
  baseUrl: "http://localhost:3000/api/auth",
  address: "203.0.113.7",
  userAgent: "Ü/1",
  sessionToken: "t",
};
const now = 1_000_000;

test("accepts a signed caller for thirty seconds", () => {
  const header = signCaller(ring, caller, now);
  expect(verifyCaller(ring, header, { operation: "getSession", now: now + 29_999 })).toMatchObject(
    caller,
  );
  expect(
    verifyCaller(ring, header, { operation: "getSession", now: now + 30_000 }),
  ).toBeUndefined();
});

test("rejects a caller that was signed for another operation", () => {
  expect(
    verifyCaller(ring, signCaller(ring, caller, now), { operation: "signOut", now: now }),
  ).toBeUndefined();
});

test("accepts a caller signed with an older secret and rejects a foreign one", () => {
  const rotated = createSecretRing(["the second secret", "the first secret"]);
  const header = signCaller(ring, caller, now);
  expect(verifyCaller(rotated, header, { operation: "getSession", now: now })).toMatchObject(
    caller,
  );
  expect(
    verifyCaller(createSecretRing(["foreign"]), header, { operation: "getSession", now: now }),
  ).toBeUndefined();
});

test("rejects every unsigned or altered header", () => {
  const header = signCaller(ring, caller, now);
  const [payload = "", signature = ""] = header.split(".");
  const forged = Buffer.from(JSON.stringify({ ...caller, expiresAt: now * 2 })).toString(
    "base64url",
  );
  const attempts = [
    "",
    ".",
    "a",
    "a.b",
    payload,
    `${payload}.`,
    `.${signature}`,
    `${forged}.${signature}`,
  ];
  for (const attempt of attempts)
    expect(verifyCaller(ring, attempt, { operation: "getSession", now: now })).toBeUndefined();
});
