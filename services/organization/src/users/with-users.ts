import type { Member, UserSummary } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** A membership with its user. */
export type MemberWithUser = Member & { user: UserSummary };

/** The user of a session has further members. */
const pickSummary = ({ id, name, email, image }: UserSummary): UserSummary => ({
  id,
  name,
  email,
  image,
});

/** Returns memberships with their users. Leaves out deleted users. The reader's own user needs no look-up. */
export const withUsers = async (
  { lookUpUsers }: Pick<Deps, "lookUpUsers">,
  members: readonly Member[],
  reader?: UserSummary,
): Promise<MemberWithUser[]> => {
  const ids = members.map(({ userId }) => userId).filter((id) => id !== reader?.id);
  const users = await lookUpUsers(ids);
  const own = reader && pickSummary(reader);
  return members.flatMap((member) => {
    const user = member.userId === own?.id ? own : users.get(member.userId);
    return user ? [{ ...member, user }] : [];
  });
};
