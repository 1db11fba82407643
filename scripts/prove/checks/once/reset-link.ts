import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { linkMailedBy } from "../../mails.ts";

const { identity } = operations;

/** A reset link sets one password, however many use it at once. */
export const resetLink: Check = {
  class: "once",
  name: "a mailed reset link sets one password",
  remedy: "A reset token counted twice. Update Latchkey.",
  run: async (ground) => {
    const { email } = await ground.createUser();
    const asker = ground.anybody();
    const link = await linkMailedBy(ground, email, () =>
      asker.ask(identity.requestPasswordReset, { body: { email } }),
    );
    const token = link.pathname.split("/").at(-1) ?? "";
    const answers = await ground.race((index) => {
      const body = { token, newPassword: `${ground.password}-${index}` };
      return ground.anybody().ask(identity.resetPassword, { body }, { isOnce: true });
    });
    return judgeServed(answers);
  },
};
