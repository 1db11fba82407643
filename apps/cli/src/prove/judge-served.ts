import type { Found } from "./check.ts";
import type { Answer } from "./http/connections.ts";
import { breakdowns, contendersOf, isServed, tally } from "./tally.ts";

/** Checks that exactly `count` of some concurrent callers were served, by default one. */
export const judgeServed = (
  answers: readonly Answer[],
  { count = 1, isWin = isServed }: { count?: number; isWin?: (answer: Answer) => boolean } = {},
): Found => {
  const contenders = contendersOf(answers, count + 1);
  const served = contenders.filter(isWin).length;
  return {
    figures: `${contenders.length} at once: ${tally(contenders)}`,
    problems: [
      ...(served === count ? [] : [`${served} of ${contenders.length} were served, not ${count}`]),
      ...breakdowns(contenders),
    ],
  };
};
