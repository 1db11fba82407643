import { expect, test } from "vitest";
import { isFactorPasskey } from "./show-authentication.ts";

test.each([
  ["passkey", true],
  ["password,passkey", true],
  ["password,totp", false],
  ["", false],
  // Attack: a passkey that verifies nobody, and then a code of a second factor that is turned off afterwards.
  ["passkey,otp", false],
  ["passkey,backup-code", false],
  ["passkey,trusted-device", false],
])("with the methods %j, a passkey was the second factor: %s", (methods, isFactor) => {
  expect(isFactorPasskey({ methods })).toBe(isFactor);
});
