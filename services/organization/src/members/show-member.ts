import type { Member } from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";
import type { MemberRow } from "./queries.ts";

/** A membership as replies show it; its team only where there are teams. */
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
