import { isChallenge, operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import { judgeServed } from "../../judge-served.ts";
import { newAppHolder, trustBrowser } from "../../second-factors.ts";

const { identity } = operations;

const isWin = ({ status, body }: Answer): boolean => status === 200 && !isChallenge(body as object);

/** Checks that each sign-in of a trusted browser replaces its value, so that a copied one does not live on beside it. */
export const trustedBrowser: Check = {
  class: "once",
  name: "the value of a trusted browser is used once",
  remedy: "A copy of a trusted browser's cookie stays valid. Update Latchkey.",
  run: async (context) => {
    const holder = await newAppHolder(context);
    const [code] = holder.app.backupCodes;
    const browser = await trustBrowser(context, holder, code);
    await done(browser.ask(identity.signOut), "a sign-out");
    const body = { email: holder.email, password: holder.password };
    const answers = await context.race(() =>
      browser.copy().ask(identity.signInEmail, { body }, { isOnce: true }),
    );
    return judgeServed(answers, { isWin });
  },
};
