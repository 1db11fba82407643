import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { beginChallenges, newAppHolder, shared } from "../../second-factors.ts";

/** Checks that a backup code passes one of several concurrent sign-ins. */
export const backupCode: Check = {
  class: "once",
  name: "a backup code passes one sign-in",
  remedy: "A backup code was accepted twice. Update Latchkey.",
  run: async (context) => {
    const holder = await newAppHolder(context);
    const waiting = await beginChallenges(context, holder);
    const [code] = holder.app.backupCodes;
    const answers = await context.race((index) =>
      shared(waiting, index).ask(
        operations.identity.verifyBackupCode,
        { body: { code } },
        { isOnce: true },
      ),
    );
    return judgeServed(answers);
  },
};
