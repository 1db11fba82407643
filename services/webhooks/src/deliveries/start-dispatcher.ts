import type { Background } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { alignMemberWebhooks } from "../endpoints/align-member-webhooks.ts";
import { disableGone, pauseFailing } from "../endpoints/end-failing.ts";
import { requestsMax } from "./create-receivers.ts";
import {
  type ClaimedDelivery,
  claimDeliveries,
  deleteEmptyLane,
  releaseLanes,
} from "./leases/queries.ts";
import { createOutcomeWriter } from "./outcome-writer.ts";
import { sendDelivery, type SendNeeds } from "./send-delivery.ts";

export type DispatcherNeeds = SendNeeds &
  Pick<Deps, "db" | "dispatch" | "logger" | "newEventId" | "wakeRelay">;

const failingConcurrency = 2;
/** Shares of the requests of a process. The others are for webhooks whose last attempt succeeded, which hanging ones thus cannot block. */
const shares = { failingMax: requestsMax / 4, unprovenMax: requestsMax / 2 };
/** A lease outlasts the request and the record of its outcome. */
const leaseMarginSeconds = 60;
const pollMilliseconds = 500;
const restMilliseconds = 1_000;
/** Less than the time that a service has to stop. */
const stopMilliseconds = 6_000;

/** The running requests of this process. */
const createRunning = () => {
  const counts = new Map<string, number>();
  const tasks = new Set<Promise<void>>();
  return {
    counts,
    tasks,
    add: (endpointId: string, task: () => Promise<void>) => {
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
      const ended = task().finally(() => {
        const left = (counts.get(endpointId) ?? 1) - 1;
        if (left > 0) counts.set(endpointId, left);
        else counts.delete(endpointId);
        tasks.delete(ended);
      });
      tasks.add(ended);
    },
  };
};

/** Creates the function that sends a delivery, records the outcome, and ends a webhook that is gone or has failed for long. */
const createSender = (deps: DispatcherNeeds) => {
  const { pauseAfter, retryPeriod } = deps.config.webhooks;
  const writer = createOutcomeWriter(deps, {
    keptMilliseconds: (leaseMarginSeconds / 2) * 1_000,
  });
  /** Whether the delivery has failed for as long as a webhook may. */
  const hasFailedLong = ({ retryUntil }: ClaimedDelivery): boolean => {
    if (!retryUntil) return false;
    const failedFor = retryPeriod - (retryUntil.getTime() - deps.clock()) / 1_000;
    return failedFor >= Math.min(pauseAfter, retryPeriod);
  };
  return async (claimed: ClaimedDelivery, signal: AbortSignal): Promise<void> => {
    const { outcome, isGone } = await sendDelivery(deps, claimed, signal);
    await writer.write(outcome);
    if (isGone) await disableGone(deps, claimed.endpointId);
    else if (outcome.error !== null && hasFailedLong(claimed))
      await pauseFailing(deps, [claimed.endpointId]);
  };
};

const limitsOf = ({ membersHaveWebhooks, webhooks }: Deps["config"]) => ({
  ...shares,
  concurrency: webhooks.concurrency,
  failingConcurrency,
  membersHaveWebhooks,
  leaseSeconds: webhooks.timeout + leaseMarginSeconds,
});

/**
 * Starts the loop that leases due deliveries and sends them. Each replica runs one. A killed process loses nothing: its leases end, and
 * others send what it held.
 */
export const startDispatcher = (deps: DispatcherNeeds): Background => {
  const { config, db, dispatch, logger } = deps;
  const limits = limitsOf(config);
  const running = createRunning();
  const send = createSender(deps);
  const aborting = new AbortController();
  let stopping = false;

  const attempt = async (claimed: ClaimedDelivery): Promise<void> => {
    try {
      await send(claimed, aborting.signal);
    } catch (error) {
      // Otherwise the lease ends by itself, so that an unexpected failure is not repeated at once.
      if (aborting.signal.aborted) await releaseLanes(db, [claimed]).catch(() => {});
      else logger.error({ err: error }, "webhook delivery was interrupted, will retry");
    } finally {
      dispatch.wake();
    }
  };
  const claim = async (): Promise<number> => {
    const limit = requestsMax - running.tasks.size;
    if (limit <= 0) return 0;
    const claimed = await claimDeliveries(db, { ...limits, running: running.counts, limit });
    for (const each of claimed)
      if (each.id === null) await deleteEmptyLane(db, each);
      else running.add(each.endpointId, () => attempt(each));
    return claimed.length;
  };
  let isAligned = false;
  const loop = async (): Promise<void> => {
    while (!stopping)
      try {
        if (!isAligned) await alignMemberWebhooks(deps);
        isAligned = true;
        await claim();
        await dispatch.pause(pollMilliseconds);
      } catch (error) {
        logger.warn({ err: error }, "failed to read due webhook deliveries, will retry");
        await dispatch.pause(restMilliseconds);
      }
  };
  const ended = loop();
  const drain = () => {
    stopping = true;
    dispatch.wake();
  };
  return {
    drain,
    stop: async () => {
      drain();
      await ended;
      const timer = setTimeout(
        () => aborting.abort(new Error("the service stops")),
        stopMilliseconds,
      );
      await Promise.allSettled(running.tasks);
      clearTimeout(timer);
    },
  };
};
