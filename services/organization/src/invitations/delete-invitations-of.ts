import { appendAudit } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { deleteInvitationsOf as deleteRows } from "./queries.ts";

/** The deleted user whose invitations are deleted, and the organization. */
export interface InvitationsOf {
  organizationId: string;
  userId: string;
  /** The user's address until the moment `before`. Another user may have it since. */
  email: string | undefined;
  before: Date;
}

/**
 * Deletes the invitations to an organization that a deleted user sent, and those to their address, whatever their status. Must run in a
 * transaction that has locked the organization.
 */
export const deleteInvitationsOf = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  invitations: InvitationsOf,
): Promise<void> => {
  const invitationIds = await deleteRows(trx, invitations);
  if (invitationIds.length === 0) return;
  await appendAudit(trx, deps, {
    actor: { kind: "system" },
    subject: { kind: "organization", id: invitations.organizationId },
    action: "invitation.deleted",
    before: { invitationIds },
  });
};
