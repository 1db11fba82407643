import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import { judgeServed } from "../../judge-served.ts";
import { linkMailedBy } from "../../mails.ts";
import { NotProven } from "../../not-proven.ts";

const { identity } = operations;

/** Checks that a deletion link deletes once under concurrent uses. */
export const deletionLink: Check = {
  class: "once",
  name: "a mailed deletion link deletes an account once",
  remedy: "A deletion token was accepted twice. Update Latchkey.",
  run: async (context) => {
    if (context.option("user.deleteUser.enabled") !== true)
      throw new NotProven("user.deleteUser.enabled");
    if (context.option("user.deleteUser.confirmByMail") === false)
      throw new NotProven("user.deleteUser.confirmByMail");
    const { browser, email } = await context.newPerson();
    const link = await linkMailedBy(context, email, () =>
      done(browser.ask(identity.deleteUser), "a deletion of one's own account"),
    );
    const query = { token: link.searchParams.get("token") ?? "" };
    const answers = await context.race(() =>
      browser.copy().ask(identity.deleteUserCallback, { query }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
