import { setTimeout as delay } from "node:timers/promises";
import type { Background } from "@latchkey/service-kit/background";
import type { Logger } from "@latchkey/service-kit/observe";
import type { UserRevision } from "./read-revisions.ts";
import type { UserRevisions } from "./user-revisions.ts";

/** The reply of identity: user revisions that are new since a position, and the position to continue from. */
export interface RevisionNews {
  position: string;
  epochs: readonly UserRevision[];
}

export interface FollowOptions {
  revisions: UserRevisions;
  /**
   * Calls identity, which replies when there is a new revision, or after a moment. If `after` is null, it returns all that may still matter.
   */
  ask: (after: string | null, signal: AbortSignal) => Promise<RevisionNews>;
  clock: () => number;
  logger: Pick<Logger, "warn" | "info">;
}

/** The delay between two calls, so that revisions arrive in batches when there are many. */
const restMilliseconds = 20;
const restsAfterFailure = [100, 250, 500, 1_000];
/** Longer than identity waits for new revisions. Ends calls on dead connections. */
const answerMilliseconds = 5_000;

/**
 * Follows user revisions until it is stopped. Its knowledge is trusted only while replies arrive. It logs once when they stop and once when
 * they resume.
 */
export const followRevisions = ({ revisions, ask, clock, logger }: FollowOptions): Background => {
  const stopping = new AbortController();
  let position: string | null = null;
  let failures = 0;

  const listen = async () => {
    const askedAt = clock();
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(answerMilliseconds)]);
    const news = await ask(position, signal);
    for (const { userId, epoch } of news.epochs) revisions.note(userId, epoch);
    position = news.position;
    revisions.recordKnownUntil(askedAt);
    if (failures > 0) logger.info("trusting cached sessions again");
    failures = 0;
  };
  const onFailure = (error: unknown) => {
    if (stopping.signal.aborted) return;
    position = null; // another replica may not know the position
    failures += 1;
    if (failures === 1)
      logger.warn(
        { err: error },
        "identity does not report revocations; not trusting cached sessions",
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
