import type { Caller } from "@latchkey/contracts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SignInState } from "./sign-in-state.ts";

/** The user who links an account. */
export interface Linker {
  user: UserRow;
  /** When the session in which the linking began was created. */
  sessionCreatedAt: Date;
}

/**
 * Returns the user for whom a linking was begun. The session that began it must still be valid, or a signed-out attacker
 * could return with the linked account. A user who is now signed in in this browser must be the same one.
 *
 * Two guards must hold until the linking is written. The first is the user's revision: the user is read before the
 * session, and each end of sessions increments it. The second is the session's creation time: the sessions of a claimed
 * user end shortly after the claim, and are found until then.
 */
export const findLinker = async (
  deps: ResolveSessionNeeds,
  { userId, sessionToken }: NonNullable<SignInState["link"]>,
  caller: Caller,
): Promise<Linker | undefined> => {
  const user = await findUser(deps, { id: userId });
  const resolve = (of: Caller) => resolveSession(deps, of, { disableRefresh: true });
  const begun = await resolve({ ...caller, sessionToken });
  const current = caller.sessionToken === sessionToken ? begun : await resolve(caller);
  const isTheirs = begun?.user.id === userId && (current ?? begun).user.id === userId;
  return user && isTheirs ? { user, sessionCreatedAt: begun.session.createdAt } : undefined;
};
