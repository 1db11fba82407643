import { z } from "zod";

/**
 * Values that a browser keeps between the requests of a sign-in, each in a signed cookie of its own:
 * - `twoFactor`: a sign-in that waits for its second factor.
 * - `trustedDevice`: a browser in which users need no second factor for some time. Joined by `keptListSeparator`.
 * - `passkeyChallenge`: a browser that has requested WebAuthn options.
 * - `magicLink`, `emailOtp`, `phoneOtp`: a browser that has requested a link or a code by mail, or a code by text message.
 * - `signUp`: a sign-up that waits for required additional fields.
 * - `knownBrowser`: a browser in which users have signed in. It grants nothing.
 */
export const keptCookies = {
  twoFactor: "two_factor",
  trustedDevice: "trust_device",
  passkeyChallenge: "passkey_challenge",
  magicLink: "magic_link",
  emailOtp: "email_otp",
  phoneOtp: "phone_otp",
  signUp: "sign_up",
  knownBrowser: "known_browser",
} as const;

/** Separates the values of one cookie. Neither our tokens nor a signature contain it. */
export const keptListSeparator = "~";

export type KeptName = keyof typeof keptCookies;

export const keptNames = Object.keys(keptCookies) as KeptName[];

const keptName = z.enum(keptNames);

/** The values that a request brings, with verified signatures. */
export const keptValues = z.partialRecord(keptName, z.string());
export type KeptValues = z.output<typeof keptValues>;

/** The values that a reply changes. Null deletes one. */
export const keptChanges = z.partialRecord(
  keptName,
  z.object({ value: z.string(), maxAgeSeconds: z.number().int().min(1) }).nullable(),
);
export type KeptChanges = z.output<typeof keptChanges>;

/** Headers with the signed `twoFactor` value, for clients that keep no cookies: in requests and in replies. */
export const twoFactorRequestHeader = "x-two-factor";
export const twoFactorReplyHeader = "set-two-factor";
