import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findActingMember, type MemberRow } from "../rows/members.ts";
import { allows, mayGive, mayInviteTo, rulesFor } from "../roles/role-rules.ts";
import type { InvitationRow } from "../rows/invitations.ts";

/**
 * Checks that a member may invite to some roles. Throws `MEMBER_NOT_FOUND` if the caller is not a member, and
 * `YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION`. Throws `YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE` if the roles grant
 * a permission, or the creator role, that the caller lacks.
 */
export const checkInviter = async (
  deps: Pick<Deps, "config" | "db">,
  member: MemberRow | undefined,
  role: string,
): Promise<MemberRow> => {
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  const { organizationId } = member;
  const rules = await rulesFor(deps, { organizationId, role: `${member.role},${role}` });
  if (!allows(rules, member.role, ["invitation", "create"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION");
  if (!mayGive(rules, member.role, role))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE");
  return member;
};

/**
 * Returns whether the inviter may no longer invite to the roles of an invitation. The inviter was expelled, demoted, banned or deleted, or
 * the options changed. Must run in a transaction that has locked the organization, so that the answer holds until the transaction ends.
 */
export const isVoid = async (
  { config, clock }: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { organizationId, inviterId: userId, role }: InvitationRow,
): Promise<boolean> => {
  const inviter = await findActingMember(trx, { organizationId, userId, now: new Date(clock()) });
  if (!inviter) return true;
  const roles = `${inviter.role},${role}`;
  const rules = await rulesFor({ config, db: trx }, { organizationId, role: roles });
  return !mayInviteTo(rules, inviter.role, role);
};
