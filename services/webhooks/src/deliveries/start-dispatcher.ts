import type { Background } from "@latchkey/service-kit/background";
import { startDeliveries } from "@latchkey/service-kit/deliver";
import type { Deps } from "../deps.ts";
import { alignMemberWebhooks, disableGone, pauseFailing } from "../endpoints/system-changes.ts";
import { requestsMax } from "./create-receivers.ts";
import {
  claimDeliveries,
  type ClaimedDelivery,
  deleteEmptyLane,
  type EmptyLane,
  releaseLanes,
} from "./leases/queries.ts";
import { type Outcome, settleAttempts } from "./outcomes/queries.ts";
import { failedSeconds, sendDelivery, type SendNeeds, statusGone } from "./send-delivery.ts";

type DispatcherNeeds = SendNeeds &
  Pick<Deps, "attemptSeconds" | "db" | "dispatch" | "logger" | "newEventId" | "wakeRelay">;

const failingConcurrency = 2;
/** Shares of the requests of a process. The others are for webhooks whose last attempt succeeded, which hanging ones thus cannot block. */
const shares = { failingMax: requestsMax / 4, unprovenMax: requestsMax / 2 };

const isEmpty = (lane: ClaimedDelivery | EmptyLane): lane is EmptyLane => lane.id === null;

/** Ends a webhook that is gone or has failed for long. */
const endFailing = async (
  deps: DispatcherNeeds,
  claimed: ClaimedDelivery,
  { error, status }: Outcome,
): Promise<void> => {
  const { pauseAfter, retryPeriod } = deps.config.webhooks;
  if (status === statusGone) await disableGone(deps, claimed.endpointId);
  else if (
    error !== null &&
    claimed.retryUntil &&
    failedSeconds(deps, claimed) >= Math.min(pauseAfter, retryPeriod)
  )
    await pauseFailing(deps, [claimed.endpointId]);
};

/** Starts the loop that sends due deliveries, in the order of each lane. */
export const startDispatcher = (deps: DispatcherNeeds): Background => {
  const { attemptSeconds, config, db, dispatch: wake, logger } = deps;
  const { membersHaveWebhooks, webhooks } = config;
  const limits = {
    ...shares,
    concurrency: webhooks.concurrency,
    failingConcurrency,
    membersHaveWebhooks,
  };
  let isAligned = false;
  return startDeliveries<ClaimedDelivery, Outcome>(
    { logger, wake },
    {
      kind: "webhook",
      concurrency: requestsMax,
      attemptSeconds: webhooks.timeout,
      claim: async (room) => {
        if (!isAligned) await alignMemberWebhooks(deps);
        isAligned = true;
        const lanes = await claimDeliveries(db, { ...limits, ...room });
        // The lease of one that cannot be deleted ends by itself.
        await Promise.allSettled(lanes.filter(isEmpty).map((lane) => deleteEmptyLane(db, lane)));
        return lanes.filter((lane) => !isEmpty(lane));
      },
      laneOf: ({ endpointId }) => endpointId,
      attempt: (claimed, signal) => sendDelivery(deps, claimed, signal),
      observe: (_, { state }, seconds) =>
        attemptSeconds.observe({ outcome: state === "pending" ? "retrying" : state }, seconds),
      settle: (outcomes) => settleAttempts(db, outcomes),
      onSettled: (claimed, outcome) => endFailing(deps, claimed, outcome),
      release: (claimed) => releaseLanes(db, [claimed]),
    },
  );
};
