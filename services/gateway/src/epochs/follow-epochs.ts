import { setTimeout as delay } from "node:timers/promises";
import type { Background, Logger } from "@latchkey/service-kit";
import type { UserEpoch } from "./read-epochs.ts";
import type { UserEpochs } from "./user-epochs.ts";

/** What identity says: the epochs that are new since a position, and where to go on from. */
export interface EpochNews {
  position: string;
  epochs: readonly UserEpoch[];
}

export interface FollowOptions {
  epochs: UserEpochs;
  /** Asks identity, which answers when there is news, or after a moment; all that may still matter when `after` is null. */
  ask: (after: string | null, signal: AbortSignal) => Promise<EpochNews>;
  clock: () => number;
  logger: Pick<Logger, "warn" | "info">;
}

/** Between two questions, so that a busy hour is told in portions. */
const restMilliseconds = 20;
const restsAfterFailure = [100, 250, 500, 1_000];
/** Longer than identity waits for news; a connection that is dead is not waited for. */
const answerMilliseconds = 5_000;

/**
 * Follows users' epochs until it is stopped. What it knows is trusted only as long as answers come; it says once when they
 * stop and once when they are back.
 */
export const followEpochs = ({ epochs, ask, clock, logger }: FollowOptions): Background => {
  const stopping = new AbortController();
  let position: string | null = null;
  let failures = 0;

  const listen = async () => {
    const askedAt = clock();
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(answerMilliseconds)]);
    const news = await ask(position, signal);
    for (const { userId, epoch } of news.epochs) epochs.note(userId, epoch);
    position = news.position;
    epochs.hear(askedAt);
    if (failures > 0) logger.info("cached sessions are believed again");
    failures = 0;
  };
  const onFailure = (error: unknown) => {
    if (stopping.signal.aborted) return;
    position = null; // whoever answers next may not know it
    failures += 1;
    if (failures === 1)
      logger.warn(
        { err: error },
        "identity does not tell of revocations; no cached session is believed",
      );
  };
  const follow = async () => {
    while (!stopping.signal.aborted) {
      await listen().catch(onFailure);
      const rest =
        failures === 0
          ? restMilliseconds
          : restsAfterFailure[Math.min(failures, restsAfterFailure.length) - 1];
      await delay(rest, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const followed = follow();
  return {
    stop: () => {
      stopping.abort();
      return followed;
    },
  };
};
