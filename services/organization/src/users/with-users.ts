import type { Member, UserSummary } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** A membership with its user. */
export type MemberWithUser = Member & { user: UserSummary };

/** Returns memberships with their users. Leaves out deleted users. The reader's own user needs no look-up. */
export const withUsers = async (
  { findUser }: Pick<Deps, "findUser">,
  members: readonly Member[],
  reader?: UserSummary,
): Promise<MemberWithUser[]> => {
  const userOf = async ({ userId }: Member) => {
    if (userId !== reader?.id) return findUser(userId);
    const { id, name, email, image } = reader;
    return { id, name, email, image };
  };
  const users = await Promise.all(members.map(userOf));
  return members.flatMap((member, index) => {
    const user = users[index];
    return user ? [{ ...member, user }] : [];
  });
};
