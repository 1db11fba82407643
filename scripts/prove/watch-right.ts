import { setTimeout as sleep } from "node:timers/promises";
import type { Found } from "./check.ts";
import { describeAnswer } from "./done.ts";
import type { Ground } from "./ground.ts";
import type { Answer } from "./http/connections.ts";
import { NotProven } from "./not-proven.ts";

/** A right, and what takes it away. */
export interface Right {
  /** How many replicas answer for it. */
  replicas: number;
  /** Uses it at a replica. */
  use(replica: number): Promise<Answer>;
  /** Whether an answer shows that it is there. */
  holds(answer: Answer): boolean;
  /** Takes it away; the answer is the acknowledgement. */
  take(): Promise<Answer>;
  /** Milliseconds for which it may go on after that, as the documentation says; nothing where it may not. */
  bound?: number;
}

/** A use that was answered. */
interface Use {
  sentAt: number;
  holds: boolean;
}

const afterwards = 10;
const pauseMilliseconds = 15;
/** How long we wait for what has to be there, and look on at what goes on longer than it may. */
const lookOnMilliseconds = 3_000;
const limitedPauseMilliseconds = 500;

/** Uses a right at one replica again and again, one use after another, until it is told to stop. */
const watch = ({ use, holds }: Right, replica: number, uses: Use[], signal: AbortSignal) => {
  const run = async () => {
    while (!signal.aborted) {
      const answer = await use(replica);
      const isLimited = answer.status === 429 && answer.headers["retry-after"] !== undefined;
      if (answer.status !== 0 && !isLimited)
        uses.push({ sentAt: answer.sentAt, holds: holds(answer) });
      await sleep(isLimited ? limitedPauseMilliseconds : pauseMilliseconds);
    }
  };
  return run();
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
  const asked = after.flat().length;
  const where = replicas === 1 ? "" : `, over ${replicas} replicas`;
  const allowed = bound === 0 ? "" : ` (${bound} ms allowed)`;
  const isOver = lasts > bound || (bound === 0 && late.length > 0);
  return {
    figures: `${late.length} of ${asked} uses after the acknowledgement went through${where}; the last ${lasts.toFixed(0)} ms after it${allowed}`,
    problems: isOver ? [`went on for ${lasts.toFixed(0)} ms after it had been taken away`] : [],
  };
};

/** Uses a right at every replica while it is taken away, and afterwards; counts who was let through after the acknowledgement. */
export const watchRight = async ({ signal }: Ground, right: Right): Promise<Found> => {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const watched = Array.from({ length: right.replicas }, (): Use[] => []);
  const watching = Promise.all(watched.map((uses, replica) => watch(right, replica, uses, either)));
  // Looked at where it is awaited.
  watching.catch(() => {});
  try {
    const isThere = await waitUntil(
      () => watched.every((uses) => uses.some(({ holds }) => holds)),
      lookOnMilliseconds,
    );
    if (!isThere) throw new NotProven("the right to be there before it is taken away");
    const taken = await right.take();
    if (taken.status !== 200)
      throw new NotProven(`it to be taken away, which was answered ${describeAnswer(taken)}`);
    const isEnded = (uses: readonly Use[]) => {
      const after = uses.filter(({ sentAt }) => sentAt > taken.answeredAt);
      return after.length >= afterwards && after.slice(-afterwards).every(({ holds }) => !holds);
    };
    await waitUntil(() => watched.every(isEnded), lookOnMilliseconds + (right.bound ?? 0));
    return judge(right, watched, taken);
  } finally {
    stop.abort();
    await watching;
  }
};
