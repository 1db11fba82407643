import { listAuditOperation } from "../audit.ts";

/** What admins see of what was done in the apikey service. */
export const apiKeyAuditOperations = {
  adminListApiKeyAudit: listAuditOperation({
    name: "adminListApiKeyAudit",
    owner: "apikey",
    feature: "apiKeyAdmin",
  }),
} as const;
