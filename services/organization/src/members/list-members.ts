import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, type ListedPage, readScopedList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { withUsers } from "../users/with-users.ts";
import { whichOrganization } from "../organizations/which-organization.ts";
import { type Acting, refusedUntil } from "../two-factor/require-second-factor.ts";
import { findOwnMembership, type FindOwnMembershipNeeds } from "./find-own-membership.ts";
import { memberList } from "./list/queries.ts";
import type { MemberListQuery } from "./list/read-member-filter.ts";
import type { MemberRow } from "./queries.ts";
import { showMember } from "./show-member.ts";

type ListMembers = typeof operations.organization.listMembers;

/** Reads a page, or says why the caller may not. */
const readOwnMembers = async (
  deps: FindOwnMembershipNeeds,
  acting: Acting,
  query: MemberListQuery,
): Promise<ListedPage<MemberRow>> => {
  const { session } = acting;
  const reader = { session, refusedUntil: refusedUntil(deps, acting) };
  const found = await readScopedList(deps.db, memberList, { ...query, ...reader });
  if (found) return found;
  const which = whichOrganization(session, query);
  if (which) await findOwnMembership(deps, acting, which); // throws if it lacks the second factor
  throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
};

/**
 * Returns a page of the members of the caller's organization and the number of matches, oldest first by default. Leaves out deleted users.
 * Throws `NO_ACTIVE_ORGANIZATION`, `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, and `VALIDATION_ERROR` for invalid limits, cursors and
 * filters.
 */
export const listMembers = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "lookUpUsers">,
  { query, caller, session }: Call<ListMembers>,
): Promise<Answer<OperationReply<ListMembers>>> => {
  const found = await readOwnMembers(deps, { caller, session }, query);
  const { rows, ...page } = found;
  const members = rows.map((row) => showMember(deps.config, row));
  return { reply: { members: await withUsers(deps, members, session.user), ...page } };
};
