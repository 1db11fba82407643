import type { Caller, Member, UserSummary } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { findUsers } from "./find-users.ts";

/** A membership with its user. */
export type MemberWithUser = Member & { user: UserSummary };

/** Returns memberships with their users, by one call to identity. Leaves out deleted users. */
export const withUsers = async (
  deps: Pick<Deps, "identity">,
  caller: Pick<Caller, "requestId">,
  members: readonly Member[],
): Promise<MemberWithUser[]> => {
  const users = await findUsers(deps, caller, { ids: members.map(({ userId }) => userId) });
  const byId = new Map(users.map((user) => [user.id, user]));
  return members.flatMap((member) => {
    const user = byId.get(member.userId);
    return user ? [{ ...member, user }] : [];
  });
};
