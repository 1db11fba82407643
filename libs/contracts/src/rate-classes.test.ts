import { expect, test } from "vitest";
import { allOperations } from "./operations.ts";

const namesOf = (wanted: string) =>
  allOperations.filter(({ rateClass }) => rateClass === wanted).map(({ name }) => name);

test("the strict limit covers sign-in, sign-up, the first run, second factors, and changes of password or address", () => {
  expect(namesOf("strict").toSorted()).toEqual([
    "changeEmail",
    "changePassword",
    "checkFirstRun",
    "completeFirstRun",
    "deleteUser",
    "disableTwoFactor",
    "enableTwoFactor",
    "generateBackupCodes",
    "getTotpUri",
    "revokeTrustedDevice",
    "revokeTrustedDevices",
    "sendTwoFactorCode",
    "signInEmail",
    "signInSocial",
    "signInUsername",
    "signUpEmail",
    "verifyBackupCode",
    "verifyTotp",
    "verifyTwoFactorCode",
  ]);
});

test("the moderate limit covers the ceremonies of passkeys", () => {
  expect(namesOf("moderate").toSorted()).toEqual(["verifyAuthentication", "verifyRegistration"]);
});

test("the strict limit covers every operation whose reply reveals whether a password is right", () => {
  const revealing = allOperations.filter(({ password }) => password === "checked");
  expect(revealing.filter(({ rateClass }) => rateClass !== "strict")).toEqual([]);
});

test("links and codes by mail have limits of their own", () => {
  expect(namesOf("mailed link").toSorted()).toEqual([
    "signInMagicLink",
    "verifyMagicLink",
    "verifyMagicLinkPost",
  ]);
  expect(namesOf("mailed code").toSorted()).toEqual([
    "changeEmailOtp",
    "checkVerificationOtp",
    "forgetPasswordOtp",
    "requestEmailChangeOtp",
    "requestPasswordResetOtp",
    "resetPasswordOtp",
    "sendVerificationOtp",
    "signInEmailOtp",
    "verifyEmailOtp",
  ]);
});

test("only internal operations have no limit", () => {
  const unlimited = allOperations.filter(({ rateClass }) => rateClass === "none");
  expect(new Set(unlimited.map(({ exposure }) => exposure))).toEqual(new Set(["internal"]));
  expect(allOperations.filter(({ exposure }) => exposure === "internal")).toEqual(unlimited);
});
