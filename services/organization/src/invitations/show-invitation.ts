import type { Invitation } from "@latchkey/contracts";
import { namesOf, picker, withoutColumns } from "@latchkey/service-kit";
import { invitationColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { mailedIdOf } from "./invitation-ids.ts";
import type { InvitationRow } from "./queries.ts";

const pickWithTeam = picker<Invitation>(namesOf(withoutColumns(invitationColumns, "createdAt")));
const pickWithoutTeam = picker<Invitation>(
  namesOf(withoutColumns(invitationColumns, "createdAt", "teamId")),
);

/** Returns an invitation for replies, under the id that the reader may know. Includes the team only if teams are enabled. */
export const showInvitation = (
  { config: { organization } }: Pick<Deps, "config">,
  row: InvitationRow,
  id: string,
): Invitation => {
  const invitation = organization.teams.enabled ? pickWithTeam(row) : pickWithoutTeam(row);
  invitation.id = id;
  return invitation;
};

/** Returns an invitation for its recipient or its inviter, under the mailed id. */
export const showMailedInvitation = (
  deps: Pick<Deps, "config" | "ring">,
  invitation: InvitationRow,
): Invitation => showInvitation(deps, invitation, mailedIdOf(deps.ring, invitation));
