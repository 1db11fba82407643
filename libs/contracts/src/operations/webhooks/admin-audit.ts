import { listAuditOperation } from "../audit.ts";
import { operationGroup } from "../../operation-group.ts";

/** The audit log of the webhooks service, for admins. */
export const webhookAuditOperations = operationGroup("Admin", {
  adminListWebhookAudit: listAuditOperation({
    name: "adminListWebhookAudit",
    owner: "webhooks",
    feature: "admin",
  }),
});
