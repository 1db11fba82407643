import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

const { listOrganizationWebhooks } = operations.webhooks;

export type Webhook = CallReply<typeof listOrganizationWebhooks>["webhooks"][number];

/** All webhooks of an organization fit on one page. */
const limit = 100;

/** Reads the webhooks of an organization, newest first. */
export const webhooksQuery = (organizationId: string) =>
  operationQuery(listOrganizationWebhooks, { query: { organizationId, limit } });
