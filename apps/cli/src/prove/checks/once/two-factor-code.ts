import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import { judgeServed } from "../../judge-served.ts";
import { codeMailedBy } from "../../mails.ts";
import { enableMailedCodes } from "../../second-factors.ts";

const { identity } = operations;

/** Checks that a mailed code of the second factor is used once, by concurrent requests of one session. */
export const twoFactorCode: Check = {
  class: "once",
  name: "a mailed code of the second factor is used once",
  remedy: "A mailed code was accepted twice. Update Latchkey.",
  run: async (context) => {
    const person = await context.newPerson();
    await enableMailedCodes(person);
    const { browser, email } = person;
    const mail = { email, event: "two-factor-code.requested" } as const;
    const code = await codeMailedBy(context, mail, () =>
      done(browser.ask(identity.sendTwoFactorCode), "a code by mail"),
    );
    const answers = await context.race(() =>
      browser.copy().ask(identity.verifyTwoFactorCode, { body: { code } }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
