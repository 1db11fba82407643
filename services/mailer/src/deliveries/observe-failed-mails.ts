import { type Metrics, registerGauge } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { countFailedDeliveries } from "./queries.ts";

const periodSeconds = 86_400;

/** Reports the failed mails of the last day, on which the alert is based. A retried mail no longer counts. */
export const observeFailedMails = (metrics: Metrics, db: Kysely<Tables>): void =>
  registerGauge(metrics, {
    name: "failed_mails",
    help: "Mails of the last day that were given up and not retried",
    read: async () => [{ value: await countFailedDeliveries(db, periodSeconds) }],
  });
