import { auditOperations } from "./audit.ts";
import { organizationAdminOperations } from "./organization/admin.ts";
import { roleAdminOperations } from "./organization/admin-roles.ts";
import { teamAdminOperations } from "./organization/admin-teams.ts";
import { internalOrganizationKeySupport } from "./organization/internal-api-key.ts";
import { internalOrganizationOperations } from "./organization/internal.ts";
import { invitationOperations } from "./organization/invitations.ts";
import { memberOperations } from "./organization/members.ts";
import { organizationLifeOperations } from "./organization/organizations.ts";
import { organizationRoleOperations } from "./organization/roles.ts";
import { teamOperations } from "./organization/teams.ts";
import { twoFactorPolicyOperations } from "./organization/two-factor-policy.ts";

/** Every operation that the organization service owns. */
export const organizationOperations = {
  ...organizationLifeOperations,
  ...memberOperations,
  ...invitationOperations,
  ...teamOperations,
  ...organizationRoleOperations,
  ...twoFactorPolicyOperations,
  ...organizationAdminOperations,
  ...teamAdminOperations,
  ...roleAdminOperations,
  ...auditOperations.organization,
  ...internalOrganizationOperations,
  ...internalOrganizationKeySupport,
} as const;
