import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { requestSignInLink } from "../../mailed-sign-ins.ts";

/** Checks that a mailed link signs in once under concurrent uses. */
export const signInLink: Check = {
  class: "once",
  name: "a mailed link signs in once",
  remedy: "A sign-in link was accepted twice. Update Latchkey.",
  run: async (context) => {
    const { email } = await context.createUser();
    const { browser, token } = await requestSignInLink(context, email);
    const answers = await context.race(() =>
      browser
        .copy()
        .ask(operations.identity.verifyMagicLinkPost, { body: { token } }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
