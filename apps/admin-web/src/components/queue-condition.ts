import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";

export type Queue = CallReply<typeof operations.identity.adminListQueues>["queues"][number];

/** `stopped`: nobody handles what waits. `behind`: what waits is handled too slowly. */
export type QueueCondition = "stopped" | "behind" | "healthy";

/** A consumer starts a waiting message within milliseconds. */
const patienceMs = 60_000;

/** Returns since when the next message waits, in milliseconds. 0 if none waits. */
export const waitOf = ({ oldestWaitingAt }: Queue, now: Date): number =>
  oldestWaitingAt === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(oldestWaitingAt));

/** Returns whether a queue handles its messages, apart from those that have failed. */
export const conditionOf = (queue: Queue, now: Date): QueueCondition => {
  if (waitOf(queue, now) < patienceMs) return "healthy";
  return queue.handledLastMinute === 0 && queue.active === 0 ? "stopped" : "behind";
};

const conditions: readonly QueueCondition[] = ["stopped", "behind", "healthy"];

/** Returns queues that need an operator first: those with failed messages, then those that stand still or are slow. */
export const worstFirst = (queues: readonly Queue[], now: Date): Queue[] => {
  const rankOf = (queue: Queue) =>
    conditions.indexOf(conditionOf(queue, now)) - (queue.failed > 0 ? conditions.length : 0);
  return queues.toSorted((one, other) => rankOf(one) - rankOf(other));
};
