import { isChallenge, operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { done } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import { judgeServed } from "../../judge-served.ts";
import { newAppHolder, trustBrowser } from "../../second-factors.ts";
import { isServed } from "../../tally.ts";

const { identity } = operations;

const isChallenged = ({ status, body }: Answer): boolean =>
  status === 200 && isChallenge(body as object);

/** Returns whether a reply gives a cookie another value. */
const replaces = ({ cookies }: Answer, before: ReadonlyMap<string, string>): boolean =>
  cookies.some((line) => {
    const [pair = ""] = line.split(";");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const former = before.get(name);
    return former !== undefined && value !== "" && value !== former;
  });

/**
 * Checks that of concurrent sign-ins of a trusted browser one replaces its value, so that a copied one does not live on beside it, and
 * that the others pass too.
 */
export const trustedBrowser: Check = {
  class: "once",
  name: "the value of a trusted browser is replaced once",
  remedy: "A copy of a trusted browser's cookie stays valid. Update Latchkey.",
  run: async (context) => {
    const holder = await newAppHolder(context);
    const [code] = holder.app.backupCodes;
    const browser = await trustBrowser(context, holder, code);
    await done(browser.ask(identity.signOut), "a sign-out");
    // The session's cookies are gone.
    const before = new Map(browser.cookies);
    const body = { email: holder.email, password: holder.password };
    const answers = await context.race(() =>
      browser.copy().ask(identity.signInEmail, { body }, { isOnce: true }),
    );
    const { figures, problems } = judgeServed(answers, {
      isWin: (answer) => isServed(answer) && replaces(answer, before),
    });
    const challenged = answers.filter(isChallenged).length;
    const refused = `${challenged} of ${answers.length} were asked for the second factor`;
    return { figures, problems: challenged > 0 ? [...problems, refused] : problems };
  },
};
