import { listAuditOperation } from "../audit.ts";

/** The audit log of the webhooks service, for admins. */
export const webhookAuditOperations = {
  adminListWebhookAudit: listAuditOperation({
    name: "adminListWebhookAudit",
    owner: "webhooks",
    feature: "admin",
  }),
} as const;
