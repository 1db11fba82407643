import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { NotProven } from "../../not-proven.ts";

/** Checks that concurrent sign-ups with one email address create one user. */
export const signUp: Check = {
  class: "once",
  name: "one of many concurrent sign-ups gets an address",
  remedy: "Look for two users of one address, and for the unique index identity.user has on email.",
  run: async (context) => {
    if (context.option("emailAndPassword.disableSignUp") === true)
      throw new NotProven("sign-up, which emailAndPassword.disableSignUp refuses");
    const name = context.newName();
    const body = { name, email: context.emailOf(name), password: context.password };
    const answers = await context.race(() =>
      context.anybody().ask(operations.identity.signUpEmail, { body }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
