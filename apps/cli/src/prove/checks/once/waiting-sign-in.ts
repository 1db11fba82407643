import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { beginChallenge, newAppHolder } from "../../second-factors.ts";

/** Checks that a sign-in that waits for its second factor starts one session, even if several right codes arrive at once. */
export const waitingSignIn: Check = {
  class: "once",
  name: "a sign-in that waits for its second factor starts one session",
  remedy: "A waiting sign-in was completed twice. Update Latchkey.",
  run: async (context) => {
    const holder = await newAppHolder(context);
    const waiting = await beginChallenge(context, holder);
    const { backupCodes } = holder.app;
    const answers = await context.race((index) => {
      const body = { code: backupCodes[index % backupCodes.length] };
      const { verifyBackupCode } = operations.identity;
      return waiting.copy().ask(verifyBackupCode, { body }, { isOnce: true });
    });
    return judgeServed(answers);
  },
};
