import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, readScopedList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { withUsers } from "../users/with-users.ts";
import { memberList } from "./list/queries.ts";
import { showMember } from "./show-member.ts";

type ListMembers = typeof operations.organization.listMembers;

/**
 * Returns a page of the members of the caller's organization and the number of matches, oldest first by default. Leaves out deleted users.
 * Throws `NO_ACTIVE_ORGANIZATION`, `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, and `VALIDATION_ERROR` for invalid limits, cursors and
 * filters.
 */
export const listMembers = async (
  deps: Pick<Deps, "config" | "db" | "lookUpUsers">,
  { query, session }: Call<ListMembers>,
): Promise<Answer<OperationReply<ListMembers>>> => {
  const found = await readScopedList(deps.db, memberList, { ...query, session });
  if (!found) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", { status: 403 });
  const { rows, ...page } = found;
  const members = rows.map((row) => showMember(deps.config, row));
  return { reply: { members: await withUsers(deps, members, session.user), ...page } };
};
