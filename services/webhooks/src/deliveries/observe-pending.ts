import { type Metrics, registerGauge } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { countEndpoints, countedMax, countPending, findOldestDue } from "./waiting/queries.ts";

/** Reports the pending deliveries, the age of the oldest one that is due, and the endpoints by state. */
export const observePending = (metrics: Metrics, db: Kysely<Tables>): void => {
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
