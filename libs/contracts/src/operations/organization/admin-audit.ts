import { listAuditOperation } from "../audit.ts";

/** The audit log of the organization service, for admins. */
export const organizationAuditOperations = {
  adminListOrganizationAudit: listAuditOperation({
    name: "adminListOrganizationAudit",
    owner: "organization",
    feature: "organizationAdmin",
  }),
} as const;
