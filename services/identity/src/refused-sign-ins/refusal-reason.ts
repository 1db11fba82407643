import type { ErrorCode, RefusalReason, WireError } from "@latchkey/contracts";

const reasons: Partial<Record<ErrorCode, RefusalReason>> = {
  INVALID_EMAIL_OR_PASSWORD: "wrong-password",
  INVALID_USERNAME_OR_PASSWORD: "wrong-password",
  INVALID_OTP: "wrong-code",
  OTP_EXPIRED: "wrong-code",
  TOO_MANY_ATTEMPTS: "rate-limited",
  TOO_MANY_REQUESTS: "rate-limited",
  INVALID_CODE: "wrong-second-factor",
  INVALID_BACKUP_CODE: "wrong-second-factor",
  OTP_HAS_EXPIRED: "wrong-second-factor",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "wrong-second-factor",
  ACCOUNT_TEMPORARILY_LOCKED: "second-factor-locked",
  TWO_FACTOR_REQUIRED: "second-factor-missing",
  BANNED_USER: "banned",
  EMAIL_NOT_VERIFIED: "address-not-verified",
  USERNAME_EMAIL_NOT_VERIFIED: "address-not-verified",
  VERIFICATION_EMAIL_ISNT_ENABLED: "address-not-verified",
  AUTHENTICATION_FAILED: "passkey-refused",
  ACCOUNT_NOT_LINKED: "provider-refused",
};

/** Returns the reason of a refused sign-in. A provider's sign-in is refused by the provider unless the error says more. */
export const refusalReasonOf = (
  { code }: Pick<WireError, "code">,
  otherwise: RefusalReason = "other",
): RefusalReason => reasons[code] ?? otherwise;
