import { setTimeout as sleep } from "node:timers/promises";
import type { Found } from "./check.ts";
import { describeAnswer } from "./done.ts";
import type { CheckContext } from "./check-context.ts";
import type { Answer } from "./http/connections.ts";
import { NotProven } from "./not-proven.ts";

/** A right, and the action that removes it. */
export interface Right {
  /** The number of replicas that check it. */
  replicas: number;
  /** Uses the right at a replica. */
  use(replica: number): Promise<Answer>;
  /** Returns whether a reply shows that the right exists. */
  holds(answer: Answer): boolean;
  /** Removes the right. The reply is the acknowledgement. */
  take(): Promise<Answer>;
  /** The documented milliseconds for which the right may continue afterwards. None by default. */
  bound?: number;
}

/** A use with its reply. */
interface Use {
  sentAt: number;
  holds: boolean;
}

const afterwards = 10;
const pauseMilliseconds = 15;
/** How long to wait for the right to exist, and to observe a right that continues for too long. */
const lookOnMilliseconds = 3_000;
const limitedPauseMilliseconds = 500;

/** Uses a right at one replica in a loop until it is aborted. Adds each use to `uses`. */
const watch = async (
  { use, holds }: Right,
  { replica, uses }: { replica: number; uses: Use[] },
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const answer = await use(replica);
    const isLimited = answer.status === 429 && answer.headers["retry-after"] !== undefined;
    if (answer.status !== 0 && !isLimited)
      uses.push({ sentAt: answer.sentAt, holds: holds(answer) });
    await sleep(isLimited ? limitedPauseMilliseconds : pauseMilliseconds);
  }
};

const waitUntil = async (condition: () => boolean, milliseconds: number): Promise<boolean> => {
  const end = performance.now() + milliseconds;
  while (!condition() && performance.now() < end) await sleep(pauseMilliseconds);
  return condition();
};

const judge = (
  { replicas, bound = 0 }: Right,
  watched: readonly (readonly Use[])[],
  taken: Answer,
): Found => {
  const after = watched.map((uses) => uses.filter(({ sentAt }) => sentAt > taken.answeredAt));
  if (after.some((uses) => uses.length === 0))
    throw new NotProven(
      "limits that let it be used at each replica after it was taken away, and answers to that",
    );
  const late = after.flat().filter(({ holds }) => holds);
  const lasts = Math.max(0, ...late.map(({ sentAt }) => sentAt - taken.answeredAt));
  const useCount = after.flat().length;
  const where = replicas === 1 ? "" : `, over ${replicas} replicas`;
  const allowed = bound === 0 ? "" : ` (${bound} ms allowed)`;
  const isOver = lasts > bound || (bound === 0 && late.length > 0);
  return {
    figures: `${late.length} of ${useCount} uses after the acknowledgement went through${where}; the last ${lasts.toFixed(0)} ms after it${allowed}`,
    problems: isOver ? [`went on for ${lasts.toFixed(0)} ms after it had been taken away`] : [],
  };
};

/** Uses a right at every replica during and after its removal. Counts the uses that succeed after the acknowledgement. */
export const watchRight = async ({ signal }: CheckContext, right: Right): Promise<Found> => {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const watched = Array.from({ length: right.replicas }, (): Use[] => []);
  const watching = Promise.all(
    watched.map((uses, replica) => watch(right, { replica, uses }, either)),
  );
  // The rejection is handled where this is awaited.
  watching.catch(() => {});
  try {
    const isThere = await waitUntil(
      () => watched.every((uses) => uses.some(({ holds }) => holds)),
      lookOnMilliseconds,
    );
    if (!isThere) throw new NotProven("the right to be there before it is taken away");
    const takeAnswer = await right.take();
    if (takeAnswer.status !== 200)
      throw new NotProven(`it to be taken away, which was answered ${describeAnswer(takeAnswer)}`);
    const isEnded = (uses: readonly Use[]) => {
      const after = uses.filter(({ sentAt }) => sentAt > takeAnswer.answeredAt);
      return after.length >= afterwards && after.slice(-afterwards).every(({ holds }) => !holds);
    };
    await waitUntil(() => watched.every(isEnded), lookOnMilliseconds + (right.bound ?? 0));
    return judge(right, watched, takeAnswer);
  } finally {
    stop.abort();
    await watching;
  }
};
