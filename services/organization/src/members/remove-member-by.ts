import { type Caller, WireError } from "@latchkey/contracts";
import { type ResolvedSession, sessionActor } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { allows, isOwner, mayGive } from "../roles/role-rules.ts";
import {
  removeMemberInTransaction,
  type RemoveMemberInTransactionNeeds,
} from "./remove-member-in-transaction.ts";
import { keepOwner } from "./keep-owner.ts";
import { lockAsMember } from "./lock-as-member.ts";
import { findMemberById, findMembership, type MemberRow } from "./queries.ts";

/** Identifies the membership to end, by the member's id or the user's. */
export type Target = { id: string } | { userId: string };

/** The membership to end and the caller who ends it. */
export interface Removal {
  organizationId: string;
  target: Target;
  caller: Caller;
  session: ResolvedSession;
}

const findTarget = (
  trx: Transaction<Tables>,
  { organizationId, target }: Removal,
): Promise<MemberRow | undefined> =>
  "id" in target
    ? findMemberById(trx, { organizationId, id: target.id })
    : findMembership(trx, { organizationId, userId: target.userId });

/**
 * Ends a membership on behalf of a member whose roles allow it. Throws `MEMBER_NOT_FOUND` and `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER`.
 * Throws `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` for the last owner, and for any owner if the caller is not an owner.
 */
export const removeMemberBy = async (
  deps: RemoveMemberInTransactionNeeds & Pick<Deps, "config" | "db" | "wakeRelay">,
  removal: Removal,
): Promise<MemberRow> => {
  const { organizationId, caller, session } = removal;
  const { organization } = deps.config;
  const ended = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId });
    const member = await findTarget(trx, removal);
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    if (isOwner(organization, member.role) && !isOwner(organization, own.role))
      throw new WireError("YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER");
    await keepOwner(trx, deps.config, member);
    const isAllowed =
      allows(organization, own.role, ["member", "delete"]) &&
      mayGive(organization, own.role, member.role);
    if (!isAllowed)
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER", { status: 401 });
    await removeMemberInTransaction(deps, trx, { member, actor: sessionActor(session), caller });
    return member;
  });
  deps.wakeRelay();
  return ended;
};
