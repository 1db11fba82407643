import type { Member } from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";
import type { MemberRow } from "./queries.ts";

/** Returns a membership for replies. Includes the team only if teams are enabled. */
export const showMember = (
  { organization }: Pick<OrganizationConfig, "organization">,
  { id, organizationId, userId, role, createdAt, teamId }: MemberRow,
): Member => ({
  id,
  organizationId,
  userId,
  role,
  createdAt,
  ...(organization.teams.enabled ? { teamId } : {}),
});
