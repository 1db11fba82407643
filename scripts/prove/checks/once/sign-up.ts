import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { NotProven } from "../../not-proven.ts";

/** An e-mail address belongs to one user, however many sign up with it at once. */
export const signUp: Check = {
  class: "once",
  name: "one of many sign-ups at once gets an address",
  remedy: "Look for two users of one address, and for the unique index identity.user has on email.",
  run: async (ground) => {
    if (ground.option("emailAndPassword.disableSignUp") === true)
      throw new NotProven("sign-up, which emailAndPassword.disableSignUp refuses");
    const name = ground.newName();
    const body = { name, email: ground.emailOf(name), password: ground.password };
    const answers = await ground.race(() =>
      ground.anybody().ask(operations.identity.signUpEmail, { body }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
