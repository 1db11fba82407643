import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import type { Answer } from "../../http/connections.ts";
import { beginChallenge, newAppHolder } from "../../second-factors.ts";
import { breakdowns, contendersOf, isServed, tally } from "../../tally.ts";

const { verifyTotp } = operations.identity;
/** The documented tries of one sign-in. */
const tries = 5;

const isCompared = ({ body }: Answer): boolean =>
  (body as { code?: string } | undefined)?.code === "INVALID_CODE";

/** Checks that concurrent wrong codes never exceed the tries of a waiting sign-in, which ends then. */
export const waitingSignInTries: Check = {
  class: "counters",
  name: `of many wrong codes at once a waiting sign-in compares ${tries}`,
  remedy: "Codes of second factors can be guessed. Update Latchkey.",
  run: async (context) => {
    const holder = await newAppHolder(context);
    const waiting = await beginChallenge(context, holder);
    const wrong = holder.app.wrongCodes(context.measure.callers);
    const answers = await context.race((index) =>
      waiting.copy().ask(verifyTotp, { body: { code: wrong[index] } }, { isOnce: true }),
    );
    const contenders = contendersOf(answers, tries + 1);
    const compared = contenders.filter(isCompared).length;
    const late = await waiting
      .copy()
      .ask(verifyTotp, { body: { code: holder.app.codeAt(0) } }, { isOnce: true });
    return {
      figures: `${contenders.length} at once: ${tally(contenders)}; then the right one: ${describeAnswer(late)}`,
      problems: [
        ...(compared === tries ? [] : [`${compared} codes were compared, not ${tries}`]),
        ...(isServed(late) ? ["the right code was accepted after the last try"] : []),
        ...breakdowns([...contenders, late]),
      ],
    };
  },
};
