import { listAuditOperation } from "../audit.ts";
import { operationGroup } from "../../operation-group.ts";

/** The audit log of the organization service, for admins. */
export const organizationAuditOperations = operationGroup("Admin", {
  adminListOrganizationAudit: listAuditOperation({
    name: "adminListOrganizationAudit",
    owner: "organization",
    feature: "organizationAdmin",
  }),
});
