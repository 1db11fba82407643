import {
  type Caller,
  type FullUser,
  type Member,
  operations,
  type UserSummary,
  type Wire,
  WireError,
} from "@latchkey/contracts";
import { timesOf } from "@latchkey/service-kit/http";
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

/** Selects users by ids or by lower-case addresses. */
interface UsersAsked {
  ids?: readonly string[];
  emails?: readonly string[];
}

/** Returns the users with some ids or addresses, by one call to identity, without deleted users. Rejects if identity is unavailable. */
export const findUsers = async (
  { identity }: Pick<Deps, "identity">,
  { requestId }: Pick<Caller, "requestId">,
  { ids = [], emails = [] }: UsersAsked,
): Promise<UserSummary[]> => {
  if (ids.length === 0 && emails.length === 0) return [];
  const body = { ids: [...new Set(ids)], emails: [...emails] };
  return (await identity.call(operations.identity.findUsers, { body }, { requestId })).users;
};

/** Returns the user for whom a service creates an organization. Throws `UNAUTHORIZED` if the request names no user, or an unknown one. */
export const findCreator = async (
  { config, identity }: Pick<Deps, "config" | "identity">,
  { requestId }: Pick<Caller, "requestId">,
  userId: string | undefined,
): Promise<FullUser> => {
  if (!userId) throw new WireError("UNAUTHORIZED");
  const body = { model: "user", where: [{ field: "id", value: userId }], limit: 1 };
  const { rows } = await identity.call(operations.identity.findRows, { body }, { requestId });
  const user = rows[0] as Wire<FullUser> | undefined; // the reply of identity
  if (!user) throw new WireError("UNAUTHORIZED");
  const { createdAt, updatedAt, banExpires, ...members } = user;
  return {
    ...members,
    ...timesOf(config.additionalFields.user, user),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    ...(banExpires ? { banExpires: new Date(banExpires) } : {}),
  };
};

/** Handles the rejection of a change about a named user, who was unknown or was deleted meanwhile. */
export const orUserNotFound = (error: unknown): never => {
  throw error instanceof WireError && error.code === "UNAUTHORIZED"
    ? new WireError("USER_NOT_FOUND", { status: 400 })
    : error;
};
