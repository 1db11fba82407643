import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { judgeServed } from "../../judge-served.ts";
import { registerPasskey } from "../../software-passkey.ts";

/** Checks that the response of a passkey signs in once under concurrent uses. */
export const passkeyChallenge: Check = {
  class: "once",
  name: "the response of a passkey signs in once",
  remedy: "A challenge of a passkey was accepted twice. Update Latchkey.",
  run: async (context) => {
    const { browser } = await context.newPerson();
    const passkey = await registerPasskey(context, browser);
    const asker = context.anybody();
    const body = { response: await passkey.respond(asker) };
    const answers = await context.race(() =>
      asker.copy().ask(operations.identity.verifyAuthentication, { body }, { isOnce: true }),
    );
    return judgeServed(answers);
  },
};
