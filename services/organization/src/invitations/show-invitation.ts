import type { Invitation } from "@latchkey/contracts";
import { namesOf, picker, withoutColumns } from "@latchkey/service-kit";
import { invitationColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { mailedIdOf } from "./invitation-ids.ts";
import type { InvitationRow } from "./queries.ts";

const pickShown = picker<Omit<InvitationRow, "createdAt">>(
  namesOf(withoutColumns(invitationColumns, "createdAt")),
);

/** Returns an invitation for replies, under the id that the reader may know. Includes the team only if teams are enabled. */
export const showInvitation = (
  { config: { organization } }: Pick<Deps, "config">,
  row: InvitationRow,
  id: string,
): Invitation => {
  const { teamId, ...invitation } = pickShown(row);
  return { ...invitation, id, ...(organization.teams.enabled ? { teamId } : {}) };
};

/** Returns an invitation for its recipient or its inviter, under the mailed id. */
export const showMailedInvitation = (
  deps: Pick<Deps, "config" | "ring">,
  invitation: InvitationRow,
): Invitation => showInvitation(deps, invitation, mailedIdOf(deps.ring, invitation));
