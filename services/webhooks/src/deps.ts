import type { OperationReply, operations } from "@latchkey/contracts";
import { createWake } from "@latchkey/service-kit/background";
import type { Answer, Call } from "@latchkey/service-kit/http";
import { type Metrics, registerGauge, registerHistogram } from "@latchkey/service-kit/observe";
import type { Connections, StoringCore } from "@latchkey/service-kit/run";
import type { Kysely } from "kysely";
import type { WebhooksConfig } from "./config.ts";
import type { Tables } from "./db/tables.ts";
import { createReceivers } from "./deliveries/create-receivers.ts";
import { countedMax, countEndpoints, countPending, findOldestDue } from "./deliveries/queries.ts";

/** Reports the pending deliveries, the age of the oldest one that is due, and the endpoints by state. */
const observePending = (metrics: Metrics, db: Kysely<Tables>): void => {
  registerGauge(metrics, {
    name: "webhook_pending",
    help: `Deliveries of events that wait, up to ${countedMax}`,
    read: async () => [{ value: await countPending(db) }],
  });
  registerGauge(metrics, {
    name: "webhook_due_seconds",
    help: "Age of the oldest due delivery of the webhooks that are not failing",
    read: async () => [{ value: await findOldestDue(db) }],
  });
  registerGauge(metrics, {
    name: "webhook_endpoints",
    help: "Webhooks by state",
    labels: ["state"],
    read: async () =>
      (await countEndpoints(db)).map(({ state, count }) => ({ labels: { state }, value: count })),
  });
};

/** Creates the dependencies. Nothing else in this service creates any. */
export const createDeps = (
  core: StoringCore<WebhooksConfig, Tables>,
  { onClose, openClient }: Connections,
) => {
  const receivers = createReceivers(core.config);
  onClose(() => receivers.close());
  observePending(core.metrics, core.db);
  return {
    ...core,
    newId: core.newEventId,
    receivers,
    /** Wakes the sending loop of this process. */
    dispatch: createWake(),
    /** Aborted when this process begins to leave. */
    leaving: new AbortController(),
    attemptSeconds: registerHistogram(core.metrics, {
      name: "webhook_attempt_seconds",
      help: "Duration of attempts to deliver an event to a webhook by outcome",
      labels: ["outcome"],
    }),
    identity: openClient("identity"),
    organization: openClient("organization"),
  };
};

/** The dependencies of this service's features, without the parts that only the service's runtime uses. */
export type Deps = Omit<
  ReturnType<typeof createDeps>,
  "bus" | "metrics" | "settleEvent" | "tracing"
>;

type Operations = typeof operations.webhooks;

/** The handler of an operation of this service. */
export type Handler<Name extends keyof Operations> = (
  deps: Deps,
  call: Call<Operations[Name]>,
) => Promise<Answer<OperationReply<Operations[Name]>>>;
