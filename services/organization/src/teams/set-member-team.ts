import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type MemberRow, updateMemberTeam } from "../members/queries.ts";

/**
 * Moves a member to a team, or out of their team, in a transaction that has locked the organization. Changes nothing for a member of that
 * team. Throws `MEMBER_NOT_FOUND`.
 */
export const setMemberTeam = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  {
    member,
    teamId,
    ...by
  }: { member: MemberRow; teamId: string | null } & Required<Pick<AuditEntry, "actor" | "caller">>,
): Promise<MemberRow> => {
  const { id, organizationId, userId, teamId: former } = member;
  if (former === teamId) return member;
  const changed = await updateMemberTeam(trx, { organizationId, id, teamId });
  if (!changed) throw new WireError("MEMBER_NOT_FOUND");
  await appendAudit(trx, deps, {
    ...by,
    subject: { kind: "organization", id: organizationId },
    action: "member.team-changed",
    before: { id, userId, teamId: former },
    after: { id, userId, teamId },
  });
  return changed;
};
