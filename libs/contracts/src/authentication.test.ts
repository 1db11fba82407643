import { expect, test } from "vitest";
import { type AuthenticationMethod, isExempt, isMailboxAlone } from "./authentication.ts";

test.each<[AuthenticationMethod[], boolean]>([
  [["magic-link"], true],
  [["email-otp", "backup-code", "trusted-device"], true],
  [["magic-link", "password"], false],
  [["email-otp", "passkey"], false],
  [["magic-link", "social:github"], false],
  [["password"], false],
  [["totp"], false],
  [[], false],
])("%j is access to a mailbox alone: %s", (methods, isAlone) => {
  expect(isMailboxAlone(methods)).toBe(isAlone);
});

test.each<[AuthenticationMethod, boolean]>([
  ["social:github", true],
  ["social:any", true],
  ["magic-link", true],
  ["email-otp", false],
  ["password", false],
  ["passkey", false],
  ["otp", false],
])("%s is exempt from second factors by these options: %s", (method, expected) => {
  expect(isExempt({ skipFor: ["social", "magic-link"] }, method)).toBe(expected);
});
