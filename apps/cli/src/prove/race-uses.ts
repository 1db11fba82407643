import type { Found } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import type { Answer } from "./http/connections.ts";
import type { Verdict } from "./key-service.ts";
import { breakdowns, tally } from "./tally.ts";

const isVerdict = (answer: Answer): answer is Answer<Verdict> => answer.status === 200;

const describe = (answer: Answer): string => {
  if (!isVerdict(answer)) return String(answer.status);
  return answer.body.valid ? "good" : (answer.body.error?.code ?? "refused");
};

/** Uses a key concurrently with all callers over all replicas of the apikey service. Exactly the given number may be valid. */
export const raceUses = async (
  { keys, measure }: CheckContext,
  key: string,
  count: number,
): Promise<Found> => {
  const answers = await Promise.all(
    Array.from({ length: measure.callers }, (_, index) => keys().verify(key, index)),
  );
  const good = answers.filter((answer) => isVerdict(answer) && answer.body.valid).length;
  return {
    figures: `${answers.length} at once: ${tally(answers, describe)}`,
    problems: [
      ...(good === count ? [] : [`${good} of ${answers.length} uses were good, not ${count}`]),
      ...breakdowns(answers),
    ],
  };
};
