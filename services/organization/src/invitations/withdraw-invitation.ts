import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { cancelInvitationRow, findInvitationById, type InvitationRow } from "./queries.ts";

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
  const found = await findInvitationById(trx, id);
  const canceled =
    found?.organizationId === organizationId ? await cancelInvitationRow(trx, id) : undefined;
  if (!found || !canceled) throw new WireError("INVITATION_NOT_FOUND");
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "invitation.canceled",
    caller,
    before: { id, status: found.status },
  });
  return canceled;
};
