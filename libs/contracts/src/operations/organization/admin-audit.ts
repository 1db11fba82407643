import { listAuditOperation } from "../audit.ts";

/** What admins see of what was done in the organization service. */
export const organizationAuditOperations = {
  adminListOrganizationAudit: listAuditOperation({
    name: "adminListOrganizationAudit",
    owner: "organization",
    feature: "organizationAdmin",
  }),
} as const;
