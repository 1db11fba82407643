import { createHmac } from "node:crypto";
import { encodeBase32 } from "./base32.ts";
import { constantTimeEqual } from "./constant-time-equal.ts";

/** The form of the codes of an authenticator app. */
export interface TotpForm {
  digits: number;
  /** Seconds. */
  period: number;
}

/** Returns the number of the time step at `now`, in milliseconds since the epoch (RFC 6238, section 4.2). */
export const totpStep = (now: number, { period }: Pick<TotpForm, "period">): number =>
  Math.floor(now / 1000 / period);

/** Returns the code of a time step: the HOTP of RFC 4226 with HMAC-SHA-1. Authenticator apps support no other hash reliably. */
export function totpCode(
  secret: Uint8Array,
  step: number,
  { digits }: Pick<TotpForm, "digits">,
): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * Returns the time steps whose code is the given one: of the step of `now`, the one before and the one after, because clocks differ.
 * Compares all three, so that the time reveals nothing.
 */
export function findTotpSteps(
  secret: Uint8Array,
  code: string,
  { now, ...form }: TotpForm & { now: number },
): number[] {
  const current = totpStep(now, form);
  const steps = [current - 1, current, current + 1].filter((step) => step >= 0);
  const matches = steps.map((step) => constantTimeEqual(totpCode(secret, step, form), code));
  return steps.filter((_, index) => matches[index]);
}

/** Returns the URI that an authenticator app reads from a QR code. */
export function totpUri(
  secret: Uint8Array,
  { issuer, account, digits, period }: TotpForm & { issuer: string; account: string },
): string {
  const query = new URLSearchParams({
    secret: encodeBase32(secret),
    issuer,
    digits: String(digits),
    period: String(period),
  });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query.toString()}`;
}
