import { listAuditOperation } from "../audit.ts";

/** What admins see of what was done in identity. */
export const identityAuditOperations = {
  adminListIdentityAudit: listAuditOperation({
    name: "adminListIdentityAudit",
    owner: "identity",
    feature: "admin",
  }),
} as const;
