import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import { judgeServed } from "../../judge-served.ts";
import { linkMailedBy } from "../../mails.ts";
import { NotProven } from "../../not-proven.ts";

const { identity } = operations;

/** A deletion link deletes once, however many use it at once. */
export const deletionLink: Check = {
  class: "once",
  name: "a mailed deletion link deletes an account once",
  remedy: "A deletion token counted twice. Update Latchkey.",
  run: async (ground) => {
    if (ground.option("user.deleteUser.enabled") !== true)
      throw new NotProven("user.deleteUser.enabled");
    if (ground.option("user.deleteUser.confirmByMail") === false)
      throw new NotProven("user.deleteUser.confirmByMail");
    const { browser, email } = await ground.newPerson();
    const link = await linkMailedBy(ground, email, () =>
      done(browser.ask(identity.deleteUser), "a deletion of one's own account"),
    );
    const query = { token: link.searchParams.get("token") ?? "" };
    const answers = await ground.race(() =>
      browser.copy().ask(identity.deleteUserCallback, { query }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
