import { createSecretRing } from "@latchkey/crypto";
import { expect, test } from "vitest";
import { signCaller, type UnsignedCaller, verifyCaller } from "./caller-signature.ts";

const ring = createSecretRing(["the first secret"]);
const caller: UnsignedCaller = {
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

test.each(["A/1.0", "Ü/1", "\u007f", "\ud83d"])(
  "passes the session and user unchanged, by the user agent %j",
  (userAgent) => {
    const resolved = { session: { id: "s" }, user: { name: 'Zoë. "}', age: 3 } };
    for (const name of ["Zoe", resolved.user.name]) {
      const sent = { ...resolved, user: { ...resolved.user, name } };
      const header = signCaller(
        ring,
        { ...caller, userAgent, resolved: JSON.stringify(sent) },
        now,
      );
      expect(header).toMatch(/^[ -~]+$/); // as HTTP requires
      expect(verifyCaller(ring, header, { operation: "getSession", now })).toMatchObject({
        ...caller,
        userAgent,
        resolved: sent,
      });
    }
  },
);

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
  const dot = header.lastIndexOf(".");
  const [payload, signature] = [header.slice(0, dot), header.slice(dot + 1)];
  const forged = JSON.stringify({ ...caller, expiresAt: now * 2 });
  const attempts = [
    "",
    ".",
    "a",
    "a.b",
    payload,
    `${payload}.`,
    `.${signature}`,
    `${forged}.${signature}`,
    `${Buffer.from(forged).toString("base64url")}.${signature}`,
    `${payload.slice(0, -1)},"service":"gateway"}.${signature}`,
  ];
  for (const attempt of attempts)
    expect(verifyCaller(ring, attempt, { operation: "getSession", now: now })).toBeUndefined();
});
