import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import type { CheckContext } from "../../check-context.ts";
import { describeAnswer } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import { limitWithin } from "../../limit-within.ts";
import { requestSignInCode } from "../../mailed-sign-ins.ts";
import { NotProven } from "../../not-proven.ts";
import { breakdowns, isServed } from "../../tally.ts";

const name = "emailOTP.allowedAttempts";
const noCode = "not a code";

/** Requests a code and sends it after some wrong ones, which arrive at once. */
const tryAfter = async (context: CheckContext, wrong: number): Promise<Answer> => {
  const { email } = await context.createUser();
  const { browser, otp } = await requestSignInCode(context, email);
  const enter = (entered: string) =>
    browser.copy().ask(operations.identity.signInEmailOtp, { body: { email, otp: entered } });
  await Promise.all(Array.from({ length: wrong }, () => enter(noCode)));
  return enter(otp);
};

/** Checks that the last of the allowed attempts is accepted, and no later one. */
export const signInCodeTries: Check = {
  class: "counters",
  name: "a mailed code is compared as often as configured, and no more",
  remedy: `Mailed codes can be guessed more often than ${name}. Update Latchkey.`,
  run: async (context) => {
    if (context.option("emailOTP.enabled") !== true) throw new NotProven("emailOTP.enabled");
    const max = limitWithin(context, name);
    const last = await tryAfter(context, max - 1);
    const late = await tryAfter(context, max);
    return {
      figures: `the right one after ${max - 1} wrong ones: ${describeAnswer(last)}; after ${max}: ${describeAnswer(late)}`,
      problems: [
        ...(isServed(last) ? [] : [`the right code was refused after ${max - 1} wrong ones`]),
        ...(isServed(late) ? [`the right code was accepted after ${max} wrong ones`] : []),
        ...breakdowns([last, late]),
      ],
    };
  },
};
