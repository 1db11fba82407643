import type { Invitation } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { mailedIdOf } from "./invitation-ids.ts";
import type { InvitationRow } from "./queries.ts";

/** Returns an invitation for replies, under the id that the reader may know. Includes the team only if teams are enabled. */
export const showInvitation = (
  { config: { organization } }: Pick<Deps, "config">,
  { organizationId, email, role, status, expiresAt, inviterId, teamId }: InvitationRow,
  id: string,
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

/** Returns an invitation for its recipient or its inviter, under the mailed id. */
export const showMailedInvitation = (
  deps: Pick<Deps, "config" | "ring">,
  invitation: InvitationRow,
): Invitation => showInvitation(deps, invitation, mailedIdOf(deps.ring, invitation));
