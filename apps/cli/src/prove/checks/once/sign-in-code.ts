import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { requestSignInCode } from "../../mailed-sign-ins.ts";

/** Checks that a mailed code signs in once under concurrent uses. */
export const signInCode: Check = {
  class: "once",
  name: "a mailed code signs in once",
  remedy: "A mailed code was accepted twice. Update Latchkey.",
  run: async (context) => {
    const { email } = await context.createUser();
    const { browser, otp } = await requestSignInCode(context, email);
    const body = { email, otp };
    const answers = await context.race(() =>
      browser.copy().ask(operations.identity.signInEmailOtp, { body }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
