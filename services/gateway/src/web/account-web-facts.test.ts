import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { describe, expect, test } from "vitest";
import { accountWebFacts } from "./account-web-facts.ts";

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
    const { options } = readSettings({ databaseUrl: "postgres://localhost/x", ...tree }, {});
    expect(accountWebFacts(options).verification.atSignUp).toEqual(mails);
  });
});
