import type { operations } from "@latchkey/ui/api/contracts.ts";
import type { ListedRow } from "../data-table/list-query.ts";

/** A webhook as listed by `adminListWebhooks`. */
export type Webhook = ListedRow<typeof operations.webhooks.adminListWebhooks, "webhooks">;
