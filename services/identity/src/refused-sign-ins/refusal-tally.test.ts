import type { ErrorCode, RefusalReason } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { refusalReasonOf } from "./refusal-tally.ts";

const cases: Record<Exclude<RefusalReason, "other">, ErrorCode[]> = {
  "wrong-password": ["INVALID_EMAIL_OR_PASSWORD", "INVALID_USERNAME_OR_PASSWORD"],
  "wrong-code": ["INVALID_OTP", "OTP_EXPIRED"],
  "wrong-second-factor": [
    "INVALID_CODE",
    "INVALID_BACKUP_CODE",
    "OTP_HAS_EXPIRED",
    "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
  ],
  "second-factor-missing": ["TWO_FACTOR_REQUIRED"],
  "second-factor-locked": ["ACCOUNT_TEMPORARILY_LOCKED"],
  banned: ["BANNED_USER"],
  "address-not-verified": [
    "EMAIL_NOT_VERIFIED",
    "USERNAME_EMAIL_NOT_VERIFIED",
    "VERIFICATION_EMAIL_ISNT_ENABLED",
  ],
  "password-compromised": ["PASSWORD_CHANGE_REQUIRED"],
  "rate-limited": ["TOO_MANY_ATTEMPTS", "TOO_MANY_REQUESTS"],
  "passkey-refused": ["AUTHENTICATION_FAILED"],
  "provider-refused": ["ACCOUNT_NOT_LINKED"],
};

test.each(Object.entries(cases))("the errors of %s have this reason", (reason, codes) => {
  for (const code of codes) expect(refusalReasonOf({ code }, "other")).toBe(reason);
});

test("any other error has the reason that the sign-in method names", () => {
  const error = { code: "FAILED_TO_CREATE_SESSION" } as const;
  expect(refusalReasonOf(error)).toBe("other");
  expect(refusalReasonOf(error, "provider-refused")).toBe("provider-refused");
});
