import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { beginChallenges, newAppHolder, shared } from "../../second-factors.ts";

/** Checks that a code of an authenticator app passes one of several concurrent sign-ins. */
export const appCode: Check = {
  class: "once",
  name: "a code of an authenticator app passes one sign-in",
  remedy: "A code of an authenticator app was accepted twice. Update Latchkey.",
  run: async (context) => {
    const holder = await newAppHolder(context);
    const waiting = await beginChallenges(context, holder);
    const body = { code: holder.app.codeAt(0) };
    const answers = await context.race((index) =>
      shared(waiting, index).ask(operations.identity.verifyTotp, { body }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
