import { listAuditOperation } from "../audit.ts";

/** The audit log of identity, for admins. */
export const identityAuditOperations = {
  adminListIdentityAudit: listAuditOperation({
    name: "adminListIdentityAudit",
    owner: "identity",
    feature: "admin",
  }),
} as const;
