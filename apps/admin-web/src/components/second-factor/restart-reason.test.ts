import { expect, test } from "vitest";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { restartReason } from "./restart-reason.ts";

const refusal = (code: string) => new ApiError({ status: 400, body: { code, message: code } });

test.each([
  ["INVALID_TWO_FACTOR_COOKIE", "app", /expired/],
  ["TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", "app", /Too many wrong codes/],
  ["TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", "backup", /Too many wrong codes/],
] as const)("begins the sign-in again after %s of a code by %s", (code, kind, reason) => {
  expect(restartReason(refusal(code), kind)).toMatch(reason);
});

test.each([
  ["INVALID_CODE", "app"],
  ["ACCOUNT_TEMPORARILY_LOCKED", "app"],
  ["TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", "mail"],
] as const)("keeps the sign-in after %s of a code by %s", (code, kind) => {
  expect(restartReason(refusal(code), kind)).toBeUndefined();
});

test("keeps the sign-in after a bug of the page", () => {
  expect(restartReason(new TypeError("no"), "app")).toBeUndefined();
});
