import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { countMembers, hasDeparted, insertMember, type MemberRow } from "./queries.ts";

/**
 * Makes a user a member, in a transaction that has locked the user's memberships and the organization. Throws
 * `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION`, `ORGANIZATION_MEMBERSHIP_LIMIT_REACHED`, and `UNAUTHORIZED` if the user is deleted.
 */
export const addMemberInTransaction = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { member, actor, caller }: { member: MemberRow } & Pick<AuditEntry, "actor" | "caller">,
): Promise<void> => {
  const { id, organizationId, userId, role } = member;
  if (await hasDeparted(trx, userId)) throw new WireError("UNAUTHORIZED");
  const isFull =
    (await countMembers(trx, organizationId)) >= deps.config.organization.membershipLimit;
  if (!(await insertMember(trx, member)))
    throw new WireError("USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
  if (isFull) throw new WireError("ORGANIZATION_MEMBERSHIP_LIMIT_REACHED");
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "member.added",
    ...(caller ? { caller } : {}),
    after: { id, userId, role },
  });
};
