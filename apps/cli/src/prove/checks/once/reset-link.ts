import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { linkMailedBy } from "../../mails.ts";

const { identity } = operations;

/** Checks that a reset link sets one password under concurrent uses. */
export const resetLink: Check = {
  class: "once",
  name: "a mailed reset link sets one password",
  remedy: "A reset token was accepted twice. Update Latchkey.",
  run: async (context) => {
    const { email } = await context.createUser();
    const asker = context.anybody();
    const link = await linkMailedBy(context, email, () =>
      asker.ask(identity.requestPasswordReset, { body: { email } }),
    );
    const token = link.pathname.split("/").at(-1) ?? "";
    const answers = await context.race((index) => {
      const body = { token, newPassword: `${context.password}-${index}` };
      return context.anybody().ask(identity.resetPassword, { body }, { isOnce: true });
    });
    return judgeServed(answers);
  },
};
