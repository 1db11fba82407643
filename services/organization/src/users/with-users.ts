import type { Member, UserSummary } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** A membership with its user. */
export type MemberWithUser = Member & { user: UserSummary };

/** Returns memberships with their users. Leaves out deleted users. The reader's own user needs no look-up. */
export const withUsers = async (
  { lookUpUsers }: Pick<Deps, "lookUpUsers">,
  members: readonly Member[],
  reader?: UserSummary,
): Promise<MemberWithUser[]> => {
  const ids = members.map(({ userId }) => userId).filter((id) => id !== reader?.id);
  const users = await lookUpUsers(ids);
  return members.flatMap((member) => {
    const user = member.userId === reader?.id ? reader : users.get(member.userId);
    if (!user) return [];
    const { id, name, email, image } = user;
    return [{ ...member, user: { id, name, email, image } }];
  });
};
