import { expect, test } from "vitest";
import { signInOutlook, verificationChoices } from "./verification-choice.ts";

test.each([
  ["none", true, "cannot sign in until"],
  ["mail", true, "after opening the link"],
  ["verified", true, "immediately"],
  ["none", false, "immediately"],
  ["mail", false, "immediately"],
  ["none", undefined, "If a verified email is required"],
  ["verified", undefined, "immediately"],
] as const)(
  "with the choice %s and required verification %s, says what comes first",
  (choice, requiresVerification, text) => {
    expect(signInOutlook(choice, { requiresVerification })).toContain(text);
  },
);

test("promises no sign-in with a password while it is off", () => {
  const rules = { allowsPasswords: false, requiresVerification: false };
  expect(signInOutlook("verified", rules)).toContain("Sign-in with a password is off");
});

test("mentions a second factor that is required of the user", () => {
  const rules = { requiresVerification: false, requiresSecondFactor: true };
  expect(signInOutlook("none", rules)).toMatch(/immediately.*setup of a second factor/);
});

test("offers only what the admin may do", () => {
  const values = (given: Parameters<typeof verificationChoices>[0]) =>
    verificationChoices(given).map(({ value }) => value);
  expect(values({ mayVerify: false, maySendMail: false })).toEqual(["none"]);
  expect(values({ mayVerify: true, maySendMail: true })).toEqual(["none", "mail", "verified"]);
});
