import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { MemberRow } from "../rows/members.ts";
import { mayInviteTo, rulesFor } from "../roles/role-rules.ts";
import {
  cancelInvitationRow,
  cancelPendingByIds,
  deleteInvitationsOf as deleteRows,
  findInvitationById,
  type InvitationRow,
  listPendingOfInviter,
} from "../rows/invitations.ts";

/**
 * Cancels an invitation of an organization, whatever its status, in a transaction that has locked the organization. Throws
 * `INVITATION_NOT_FOUND`, also for an invitation of another organization.
 */
export const withdrawInvitation = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  {
    id,
    organizationId,
    actor,
    caller,
  }: { id: string; organizationId: string } & Required<Pick<AuditEntry, "actor" | "caller">>,
): Promise<InvitationRow> => {
  const invitation = await findInvitationById(trx, id);
  const canceled =
    invitation?.organizationId === organizationId ? await cancelInvitationRow(trx, id) : undefined;
  if (!invitation || !canceled) throw new WireError("INVITATION_NOT_FOUND");
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "invitation.canceled",
    caller,
    before: { id, status: invitation.status },
  });
  return canceled;
};

/**
 * Cancels a member's pending invitations that the remaining roles (undefined for none) do not allow. Otherwise a member who expects removal
 * could return through an invitation to a second address, even after a later promotion. Must run in a transaction that has locked the
 * organization.
 */
export const cancelVoidInvitations = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  {
    member: { organizationId, userId },
    roleLeft,
    actor,
    caller,
  }: { member: MemberRow; roleLeft: string | undefined } & Pick<AuditEntry, "actor" | "caller">,
): Promise<void> => {
  const sent = await listPendingOfInviter(trx, { organizationId, userId });
  if (sent.length === 0) return;
  const roles = [roleLeft ?? [], sent.map(({ role }) => role)].flat().join(",");
  const rules = await rulesFor({ ...deps, db: trx }, { organizationId, role: roles });
  const isStillGood = (role: string) =>
    roleLeft !== undefined && mayInviteTo(rules, roleLeft, role);
  const ids = sent.filter(({ role }) => !isStillGood(role)).map(({ id }) => id);
  if (ids.length === 0) return;
  const invitationIds = await cancelPendingByIds(trx, ids);
  if (invitationIds.length === 0) return;
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "invitation.canceled",
    ...(caller ? { caller } : {}),
    before: { invitationIds, status: "pending" },
  });
};

/** The deleted user whose invitations are deleted, and the organization. */
interface InvitationsOf {
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
