import { readOf } from "../../access/prefetch.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { optionsQuery } from "../../components/options-query.ts";

const { identity, gateway, mailer, webhooks } = operations;

const mails = (state: "failed" | "retrying" | "queued", sortDirection: "asc" | "desc") =>
  operationQuery(mailer.adminListDeliveries, { query: { state, sortDirection, limit: "1" } });

/** Few installations have more webhooks. Of those that do, the ones that need attention come first. */
const webhooksMax = "100";

/** The reads of the list of concerns. */
export const concernReads = {
  health: readOf(operationQuery(gateway.adminReadHealth, {}), "statistics:read"),
  settings: readOf(optionsQuery, "settings:read"),
  keys: readOf(operationQuery(identity.adminListSigningKeys, {}), "signingKey:list"),
  queues: readOf(operationQuery(identity.adminListQueues, {}), "queue:list"),
  failed: readOf(mails("failed", "desc"), "delivery:list"),
  retrying: readOf(mails("retrying", "asc"), "delivery:list"),
  queued: readOf(mails("queued", "asc"), "delivery:list"),
  webhooks: readOf(
    operationQuery(webhooks.adminListWebhooks, {
      query: { limit: webhooksMax, sortBy: "condition", sortDirection: "asc" },
    }),
    "webhook:list",
  ),
};
