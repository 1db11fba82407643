/** Why a sign-in of a known user was refused. */
export const refusalReasons = [
  "wrong-password",
  /** Wrong or expired, from a mail. */
  "wrong-code",
  "wrong-second-factor",
  /** The user has no second factor that counts after this sign-in method. */
  "second-factor-missing",
  /** Too many wrong codes of a second factor. */
  "second-factor-locked",
  "banned",
  /** The password is known from leaks, and must be replaced. */
  "password-compromised",
  "address-not-verified",
  /** Too many codes by mail were tried. */
  "rate-limited",
  "passkey-refused",
  "provider-refused",
  /** Such as a hook of the application, or a change of the user meanwhile. */
  "other",
] as const;

export type RefusalReason = (typeof refusalReasons)[number];
