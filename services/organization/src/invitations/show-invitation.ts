import type { Invitation } from "@latchkey/contracts";
import type { OrganizationConfig } from "../config.ts";
import type { InvitationRow } from "./queries.ts";

/** An invitation as replies show it; its team only where there are teams. */
export const showInvitation = (
  { organization }: Pick<OrganizationConfig, "organization">,
  { id, organizationId, email, role, status, expiresAt, inviterId, teamId }: InvitationRow,
): Invitation => ({
  id,
  organizationId,
  email,
  role,
  status,
  expiresAt,
  inviterId,
  ...(organization.teams.enabled ? { teamId } : {}),
});
