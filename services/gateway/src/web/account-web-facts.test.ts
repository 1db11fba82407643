import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { describe, expect, test } from "vitest";
import { accountWebFacts } from "./account-web-facts.ts";

const factsOf = (tree: LatchkeyConfig) =>
  accountWebFacts(readSettings({ databaseUrl: "postgres://localhost/x", ...tree }, {}).options);

const otp = { enabled: true };
const byCode = { changeEmail: { enabled: true } };

test.each<[tree: LatchkeyConfig, reset: string | undefined, change: string | undefined]>([
  [{}, "link", undefined],
  [{ emailOTP: otp, user: { changeEmail: { enabled: true } } }, "link", "link"],
  [{ emailOTP: { overrideDefaultPasswordReset: true, ...byCode } }, "link", undefined],
  [{ emailOTP: { ...otp, overrideDefaultPasswordReset: true, ...byCode } }, "code", "codes"],
  [
    { emailOTP: { ...otp, changeEmail: { enabled: true, verifyCurrentEmail: false } } },
    "link",
    "code",
  ],
  [
    {
      emailAndPassword: { resetPassword: { enabled: false } },
      emailOTP: { ...otp, overrideDefaultPasswordReset: true },
    },
    undefined,
    undefined,
  ],
])("for %j a reset is by %s, and a change of the email by %s", (tree, reset, change) => {
  const { password, changes } = factsOf(tree);
  expect([password?.reset, changes.email]).toEqual([reset, change]);
});

describe("the page names the mails of a sign-up", () => {
  const [emailOTP, magicLink] = [{ enabled: true }, { enabled: true }];
  const cases: readonly (readonly [options: LatchkeyConfig, mails: string[]])[] = [
    [{}, []],
    [{ emailVerification: { sendOnSignUp: true } }, ["link"]],
    [{ emailAndPassword: { requireEmailVerification: true } }, ["link"]],
    [{ magicLink }, ["link"]],
    [{ magicLink, emailVerification: { sendOnSignUp: false } }, []],
    [{ magicLink, emailVerification: { enabled: false } }, []],
    [{ emailOTP }, ["link"]],
    [{ emailOTP: { ...emailOTP, overrideDefaultEmailVerification: true } }, ["code"]],
    [{ emailOTP: { ...emailOTP, sendVerificationOnSignUp: true } }, ["code"]],
  ];

  test.each(cases)("%j: %j", (tree, mails) => {
    expect(factsOf(tree).verification.atSignUp).toEqual(mails);
  });
});
