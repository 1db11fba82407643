import type { operations } from "@latchkey/ui/api/contracts.ts";
import type { ListedRow } from "../data-table/list-query.ts";

/** A webhook as listed by `adminListWebhooks`, with its attempts of the last day. */
export type ListedWebhook = ListedRow<typeof operations.webhooks.adminListWebhooks, "webhooks">;

export type Webhook = Omit<ListedWebhook, "deliveredLastDay" | "failedAttemptsLastDay">;
