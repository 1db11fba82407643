import { listAuditOperation } from "../audit.ts";
import { operationGroup } from "../../operation-group.ts";

/** The audit log of identity, for admins. */
export const identityAuditOperations = operationGroup("Admin", {
  adminListIdentityAudit: listAuditOperation({
    name: "adminListIdentityAudit",
    owner: "identity",
    feature: "admin",
  }),
});
