import { listAuditOperation } from "../audit.ts";

/** The audit log of the apikey service, for admins. */
export const apiKeyAuditOperations = {
  adminListApiKeyAudit: listAuditOperation({
    name: "adminListApiKeyAudit",
    owner: "apikey",
    feature: "apiKeyAdmin",
  }),
} as const;
