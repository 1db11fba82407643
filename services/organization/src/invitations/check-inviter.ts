import { WireError } from "@latchkey/contracts";
import type { Transaction } from "kysely";
import type { OrganizationConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findActingMember, type MemberRow } from "../rows/members.ts";
import { allows, mayGive, mayInviteTo } from "../roles/role-rules.ts";
import type { InvitationRow } from "../rows/invitations.ts";

/**
 * Checks that a member may invite to some roles. Throws `MEMBER_NOT_FOUND` if the caller is not a member, and
 * `YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION`. Throws `YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE` if the roles grant
 * a permission, or the creator role, that the caller lacks.
 */
export const checkInviter = (
  { organization }: Pick<OrganizationConfig, "organization">,
  member: MemberRow | undefined,
  role: string,
): MemberRow => {
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  if (!allows(organization, member.role, ["invitation", "create"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION");
  if (!mayGive(organization, member.role, role))
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
  return !inviter || !mayInviteTo(config.organization, inviter.role, role);
};
