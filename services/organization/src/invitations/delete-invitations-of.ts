import { appendAudit } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { deleteInvitationsOf as deleteRows } from "./queries.ts";

/** Whose invitations, in which organization. */
export interface InvitationsOf {
  organizationId: string;
  userId: string;
  /** Theirs until the moment `before`; somebody else may have it since. */
  email: string | undefined;
  before: Date;
}

/**
 * Deletes the pending invitations to an organization that a user sent who has ceased to exist, and those to their address.
 * In a transaction that has locked the organization.
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
