import { expect, test } from "vitest";
import { accountOutcome } from "./account-outcome.ts";

test.each([
  ["/verify-email", "verified", "/verify-email?outcome=done"],
  ["/verify-email", "expired", "/verify-email?error=token_expired"],
  ["/verify-email", "signedOut", "/change-email?error=unauthorized"],
  ["/delete-user/callback", "deleted", "/delete-account?outcome=done"],
  ["/delete-user/callback", "signedOut", "/delete-account?error=unauthorized"],
  ["/magic-link/verify", "signedIn", "/continue"],
  ["/magic-link/verify", "notGood", "/error?error=invalid_token"],
  ["/change-email/undo", "undone", undefined],
  ["/change-email/undo", "expired", undefined],
] as const)("the account web shows for %s, %s: %s", (path, outcome, page) => {
  expect(accountOutcome(path, outcome)).toBe(page);
});
