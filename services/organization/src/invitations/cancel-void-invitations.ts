import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { MemberRow } from "../members/queries.ts";
import { mayInviteTo } from "../roles/role-rules.ts";
import { cancelPendingByIds, listPendingOfInviter } from "./queries.ts";

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
  const isStillGood = (role: string) =>
    roleLeft !== undefined && mayInviteTo(deps.config.organization, roleLeft, role);
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
