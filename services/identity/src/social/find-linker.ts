import type { Caller } from "@latchkey/contracts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SignInState } from "./sign-in-state.ts";

/**
 * The user that a linking was begun for. The session that began it must not have been ended since, or whoever was thrown
 * out could come back by the account; and whoever is signed in in this browser by now must be the same. As the user is read
 * before the session, and what takes a user from somebody moves the revision on, a linking that is guarded by it is not
 * written after.
 */
export const findLinker = async (
  deps: ResolveSessionNeeds,
  { userId, sessionToken }: NonNullable<SignInState["link"]>,
  caller: Caller,
): Promise<UserRow | undefined> => {
  const here = await findUser(deps, { id: userId });
  const begun = await resolveSession(deps, { ...caller, sessionToken }, { disableRefresh: true });
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  return begun?.user.id === userId && (current ?? begun).user.id === userId ? here : undefined;
};
