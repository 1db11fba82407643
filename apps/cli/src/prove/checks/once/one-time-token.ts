import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import { judgeServed } from "../../judge-served.ts";

const { identity } = operations;

/** Checks that a one-time token is exchanged for a session once under concurrent uses. */
export const oneTimeToken: Check = {
  class: "once",
  name: "a one-time token is exchanged once",
  remedy: "A one-time token was accepted twice. Update Latchkey.",
  run: async (context) => {
    const { mia } = await context.people();
    const answer = mia.browser.ask(identity.generateOneTimeToken);
    const { token } = await done(answer, "a one-time token");
    const answers = await context.race(() =>
      context.anybody().ask(identity.verifyOneTimeToken, { body: { token } }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
