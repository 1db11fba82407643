import {
  type Caller,
  type OperationReply,
  type operations,
  type UserSummary,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { findUsers } from "../users/find-users.ts";
import { removeMemberBy, type Target } from "./remove-member-by.ts";
import type { RemoveMemberInTransactionNeeds } from "./remove-member-in-transaction.ts";
import { findOwnMembership } from "./find-own-membership.ts";
import { findMemberById } from "./queries.ts";
import { showMember } from "./show-member.ts";

type RemoveMember = typeof operations.organization.removeMember;

interface Named {
  organizationId: string;
  memberIdOrEmail: string;
}

/** The placeholder for a member whose user is deleted. */
const nobody = (id: string): UserSummary => ({ id, name: "", email: "", image: null });

/** Looks up the user before the removal. Otherwise a completed removal could fail to reply because identity is unavailable. */
const findNamed = async (
  deps: Pick<Deps, "db" | "identity">,
  caller: Caller,
  { organizationId, memberIdOrEmail }: Named,
): Promise<{ target: Target; user: UserSummary }> => {
  if (memberIdOrEmail.includes("@")) {
    const [user] = await findUsers(deps, caller, { emails: [memberIdOrEmail.toLowerCase()] });
    if (!user) throw new WireError("MEMBER_NOT_FOUND");
    return { target: { userId: user.id }, user };
  }
  const member = await findMemberById(deps.db, { organizationId, id: memberIdOrEmail });
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  const { id, userId } = member;
  const [user = nobody(userId)] = await findUsers(deps, caller, { ids: [userId] });
  return { target: { id }, user };
};

/**
 * Removes a member, by id or by e-mail address, from the organization. Their sessions no longer have it as active. Throws
 * `NO_ACTIVE_ORGANIZATION` and the errors of `removeMemberBy`.
 */
export const removeMember = async (
  deps: RemoveMemberInTransactionNeeds &
    Pick<Deps, "config" | "db" | "identity" | "logger" | "wakeRelay">,
  { body, caller, session }: Call<RemoveMember>,
): Promise<Answer<OperationReply<RemoveMember>>> => {
  const { memberIdOrEmail } = body;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  if (!(await findOwnMembership(deps, { caller, session }, { id: organizationId })))
    throw new WireError("MEMBER_NOT_FOUND");
  const { target, user } = await findNamed(deps, caller, { organizationId, memberIdOrEmail });
  const member = await removeMemberBy(deps, { organizationId, target, caller, session });
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds: [user.id] });
  return { reply: { member: { ...showMember(deps.config, member), user } }, ...changed };
};
