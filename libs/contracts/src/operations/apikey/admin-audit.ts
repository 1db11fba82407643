import { listAuditOperation } from "../audit.ts";
import { operationGroup } from "../../operation-group.ts";

/** The audit log of the apikey service, for admins. */
export const apiKeyAuditOperations = operationGroup("Admin", {
  adminListApiKeyAudit: listAuditOperation({
    name: "adminListApiKeyAudit",
    owner: "apikey",
    feature: "apiKeyAdmin",
  }),
});
