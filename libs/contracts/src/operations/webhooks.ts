import { webhookAdminOperations } from "./webhooks/admin.ts";
import { webhookAuditOperations } from "./webhooks/admin-audit.ts";
import { organizationWebhookOperations } from "./webhooks/organization.ts";

/** The operations that the webhooks service owns. */
export const webhookOperations = {
  ...webhookAdminOperations,
  ...webhookAuditOperations,
  ...organizationWebhookOperations,
} as const;
