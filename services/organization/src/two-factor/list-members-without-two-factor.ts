import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, readScopedList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { memberList } from "../members/list/queries.ts";
import { showMember } from "../members/show-member.ts";
import { checkMayManagePolicy, requireOrganization } from "./manage-policy.ts";
import { refusedUntil } from "./require-second-factor.ts";

type ListMembersWithoutTwoFactor = typeof operations.organization.listMembersWithoutTwoFactor;

/**
 * Reads a page of an organization's members, oldest first, and returns those without a second factor. Throws `NO_ACTIVE_ORGANIZATION`
 * and the errors of `checkMayManagePolicy`.
 */
export const listMembersWithoutTwoFactor = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "identity">,
  call: Call<ListMembersWithoutTwoFactor>,
): Promise<Answer<OperationReply<ListMembersWithoutTwoFactor>>> => {
  const { query, session, caller } = call;
  const organizationId = requireOrganization(call, query.organizationId);
  await checkMayManagePolicy(deps, call, organizationId);
  const reader = { organizationId, session, refusedUntil: refusedUntil(deps, call) };
  const found = await readScopedList(deps.db, memberList, { ...query, ...reader });
  if (!found) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
  const { rows, nextCursor } = found;
  const body = { ids: rows.map(({ userId }) => userId), withoutSecondFactor: true };
  const { requestId } = caller;
  const { users } = await deps.identity.call(
    operations.identity.findUsers,
    { body },
    { requestId },
  );
  const lacking = new Map(users.map((user) => [user.id, user]));
  const members = rows.flatMap((row) => {
    const user = lacking.get(row.userId);
    return user ? [{ ...showMember(deps.config, row), user }] : [];
  });
  return { reply: { members, ...(nextCursor === undefined ? {} : { nextCursor }) } };
};
