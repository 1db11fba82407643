import { createHmac, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { createSecretRing } from "./secret-ring.ts";
import { signVerificationToken, verifyVerificationToken } from "./verification-token.ts";

const secret = "test-secret-0123456789";
const ring = createSecretRing([secret]);
const now = new Date(1_893_456_000_000);
const lifetime = { now, expiresInSeconds: 3600 };
const validToken =
  "eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFAZXguY29tIiwiaWF0IjoxODkzNDU2MDAwLCJleHAiOjE4OTM0NTk2MDB9" +
  ".2hUL2NYynSZjDo8R_MH7-r6fWEMb93E0w_G3GBHJuKg";
const invalid = { ok: false, reason: "invalid_token" };

/** Builds a token of any header and payload with a valid HMAC-SHA-256 signature. */
function forge(header: object, payload: unknown): string {
  const signed = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

test("creates and verifies the token of a test vector", async () => {
  expect(await signVerificationToken(ring, { email: "a@ex.com" }, lifetime)).toBe(validToken);
  expect(await verifyVerificationToken(ring, validToken, now)).toEqual({
    ok: true,
    email: "a@ex.com",
    issuedAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  });
});

test("claims survive a round trip, with the email in lower case", async () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });
  const further = fc.record(
    { updateTo: text, id: text, browser: text, byUser: fc.constant(true) },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(text, further, async (email, rest) => {
      const token = await signVerificationToken(ring, { email, ...rest }, lifetime);
      const {
        issuedAt: _,
        expiresAt: __,
        ...read
      } = {
        issuedAt: undefined,
        expiresAt: undefined,
        ...(await verifyVerificationToken(ring, token, now)),
      };
      expect(read).toEqual({ ok: true, ...rest, email: email.toLowerCase() });
    }),
  );
});

test("a token is valid until the second before its expiry", async () => {
  const at = (seconds: number) =>
    verifyVerificationToken(ring, validToken, new Date(now.getTime() + seconds * 1000));
  expect(await at(3599)).toMatchObject({ ok: true, email: "a@ex.com" });
  expect(await at(3600)).toEqual({ ok: false, reason: "token_expired" });
});

test("a token without expiry verifies at any time", async () => {
  const token = forge({ alg: "HS256" }, { email: "a@ex.com" });
  expect(await verifyVerificationToken(ring, token, new Date(8.64e15))).toEqual({
    ok: true,
    email: "a@ex.com",
  });
});

test.each([
  ["no email", {}],
  ["an empty email", { email: "" }],
  ["an email that is not a text", { email: 1 }],
  ["a new address that is not a text", { email: "a@ex.com", updateTo: 1 }],
  ["an expiry that is not a number", { email: "a@ex.com", exp: "1" }],
  ["a start in the future", { email: "a@ex.com", nbf: 1_893_456_001 }],
  ["claims that are not an object", null],
])("a signed token with %s is invalid", async (_, payload) => {
  expect(await verifyVerificationToken(ring, forge({ alg: "HS256" }, payload), now)).toEqual(
    invalid,
  );
});

/** Attack: algorithm confusion (RFC 8725 section 3.1). */
test("a token of any other algorithm is invalid", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const signed = new SignJWT({ email: "a@ex.com" })
    .setProtectedHeader({ alg: "EdDSA" })
    .sign(privateKey);
  const payload = { email: "a@ex.com" };
  const unsigned = `${forge({ alg: "none" }, payload).split(".").slice(0, 2).join(".")}.`;
  const others = [
    await signed,
    unsigned,
    forge({ alg: "none" }, payload),
    forge({ alg: "HS512" }, payload),
  ];
  for (const token of others)
    expect(await verifyVerificationToken(ring, token, now)).toEqual(invalid);
});

/** Attack: a link edited by its holder. */
test("a token with any character changed is invalid", async () => {
  const character = fc.constantFrom(
    ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=",
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(validToken.length - 1), character, async (at, other) => {
      fc.pre(validToken[at] !== other);
      const changed = validToken.slice(0, at) + other + validToken.slice(at + 1);
      expect(await verifyVerificationToken(ring, changed, now)).toEqual(invalid);
    }),
    { numRuns: 500 },
  );
  for (const last of "hijklmnop") {
    expect(await verifyVerificationToken(ring, validToken.slice(0, -1) + last, now)).toEqual(
      invalid,
    );
  }
});

test.each(["", "a", "a.b.c", `${validToken}.`, ` ${validToken}`])(
  "the text %j is invalid",
  async (token) => {
    expect(await verifyVerificationToken(ring, token, now)).toEqual(invalid);
  },
);

test("after a rotation the old secret verifies and an unknown one does not", async () => {
  expect(
    (await verifyVerificationToken(createSecretRing(["new", secret]), validToken, now)).ok,
  ).toBe(true);
  expect(await verifyVerificationToken(createSecretRing(["new"]), validToken, now)).toEqual(
    invalid,
  );
});

test("an expired token of the old secret is reported as expired", async () => {
  const later = new Date(now.getTime() + 3_600_000);
  const outcome = await verifyVerificationToken(
    createSecretRing(["new", secret]),
    validToken,
    later,
  );
  expect(outcome).toEqual({ ok: false, reason: "token_expired" });
});
