import fc from "fast-check";
import { Secret, TOTP, URI } from "otpauth";
import { expect, test } from "vitest";
import { decodeBase32, encodeBase32 } from "./base32.ts";
import { findTotpSteps, totpCode, totpStep, totpUri } from "./totp.ts";

const rfcSecret = Buffer.from("12345678901234567890");
const importedSecret = Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEF");

test("computes the vectors of RFC 4226", () => {
  const codes = Array.from({ length: 10 }, (_, step) => totpCode(rfcSecret, step, { digits: 6 }));
  expect(codes.join(" ")).toBe(
    "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489",
  );
});

test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("computes the vector of RFC 6238 for the second %i", (second, code) => {
  const step = totpStep(second * 1000, { period: 30 });
  expect(totpCode(rfcSecret, step, { digits: 8 })).toBe(code);
});

test.each([
  [59, "530764"],
  [1_893_456_000, "284956"],
])("computes the code of an imported secret for the second %i", (second, code) => {
  const now = second * 1000;
  const form = { digits: 6, period: 30 };
  expect(findTotpSteps(importedSecret, code, { ...form, now })).toEqual([totpStep(now, form)]);
});

test("accepts the steps before and after the present one, and no others", () => {
  const form = { digits: 6, period: 30 };
  const now = 1_893_456_015_000;
  const step = totpStep(now, form);
  const accepted = [-2, -1, 0, 1, 2].filter(
    (offset) =>
      findTotpSteps(importedSecret, totpCode(importedSecret, step + offset, form), { ...form, now })
        .length > 0,
  );
  expect(accepted).toEqual([-1, 0, 1]);
  for (const code of ["", "12345", "1234567", "abcdef", " 284956", "２８４９５６"])
    expect(findTotpSteps(importedSecret, code, { ...form, now })).toEqual([]);
});

const forms = fc.record({
  digits: fc.constantFrom(6, 8),
  period: fc.integer({ min: 15, max: 120 }),
});
const secrets = fc.uint8Array({ minLength: 16, maxLength: 64 });
/** Milliseconds of the years 1970 to 2500. */
const times = fc.integer({ min: 0, max: 16_725_225_600_000 });

/** Another implementation of RFC 6238, which none of ours is derived from. */
const otherApp = (secret: Uint8Array, form: { digits: number; period: number }) =>
  new TOTP({ ...form, secret: new Secret({ buffer: secret.slice().buffer }) });

test("agrees with another implementation on codes and steps, in every configurable form", () => {
  fc.assert(
    fc.property(
      secrets,
      forms,
      times,
      fc.integer({ min: -2, max: 2 }),
      (secret, form, now, offset) => {
        const other = otherApp(secret, form);
        const timestamp = now + offset * form.period * 1000;
        fc.pre(timestamp >= 0);
        const code = totpCode(secret, totpStep(timestamp, form), form);
        expect(code).toBe(other.generate({ timestamp }));
        const delta = other.validate({ token: code, timestamp: now, window: 1 });
        const steps = findTotpSteps(secret, code, { ...form, now });
        if (delta === null) expect(steps).toEqual([]);
        else expect(steps).toContain(totpStep(now, form) + delta);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("writes a URI that another implementation reads as the same app", () => {
  fc.assert(
    fc.property(secrets, forms, times, (secret, form, timestamp) => {
      const uri = totpUri(secret, { ...form, issuer: "Example", account: "ada@example.com" });
      const [read, other] = [URI.parse(uri), otherApp(secret, form)];
      expect(read).toMatchObject({ ...form, issuer: "Example", label: "ada@example.com" });
      expect((read as TOTP).generate({ timestamp })).toBe(other.generate({ timestamp }));
    }),
  );
});

test("percent-encodes the label of the URI and form-encodes its query", () => {
  expect(
    totpUri(importedSecret, {
      issuer: "My App: 1",
      account: "a+b@example.com",
      digits: 6,
      period: 30,
    }),
  ).toBe(
    "otpauth://totp/My%20App%3A%201:a%2Bb%40example.com?secret=MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43UOV3HO6DZPJAUEQ2EIVDA&issuer=My+App%3A+1&digits=6&period=30",
  );
});

test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("encodes the vector of RFC 4648 for %o", (text, encoded) => {
  expect(encodeBase32(Buffer.from(text))).toBe(encoded);
  expect(decodeBase32(encoded)?.toString()).toBe(text);
});

test("any bytes survive base32, in any case and with padding", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const text = encodeBase32(bytes);
      const padded = text.padEnd(Math.ceil(text.length / 8) * 8, "=").toLowerCase();
      expect(decodeBase32(padded)).toEqual(Buffer.from(bytes));
    }),
  );
  for (const text of ["1", "MZ!W", "0O"]) expect(decodeBase32(text)).toBeUndefined();
});
