import { describeAnswer } from "./done.ts";
import type { Answer } from "./http/connections.ts";
import { NotProven } from "./not-proven.ts";

/** Counts equal replies, the most frequent first. */
export const tally = (answers: readonly Answer[], describe = describeAnswer): string => {
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const said = describe(answer);
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([said, count]) => `${count} x ${said}`)
    .join(", ");
};

const isHeldUp = ({ status, headers }: Answer): boolean =>
  (status === 429 || status === 503) && headers["retry-after"] !== undefined;

/**
 * Returns the replies of concurrent callers that were not refused by limits or full queues. Throws `NotProven` if they are too few for a
 * race.
 */
export const contendersOf = (answers: readonly Answer[], needed = 2): Answer[] => {
  const contenders = answers.filter((answer) => !isHeldUp(answer));
  if (contenders.length < needed)
    throw new NotProven(
      `limits that let ${needed} callers in at once: run it where its addresses are believed (trustedProxies), or with rateLimit off`,
    );
  return contenders;
};

/** Returns the replies that must never occur. */
export const breakdowns = (answers: readonly Answer[]): string[] => {
  const broken = answers.filter(({ status }) => status === 0 || (status >= 500 && status !== 503));
  return broken.length === 0 ? [] : [`${broken.length} callers were failed: ${tally(broken)}`];
};

export const isServed = ({ status }: Answer): boolean => status === 200;
