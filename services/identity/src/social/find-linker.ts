import type { Caller } from "@latchkey/contracts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SignInState } from "./sign-in-state.ts";

/** Who links an account. */
export interface Linker {
  user: UserRow;
  /** When the session began that the linking was begun in. */
  sessionCreatedAt: Date;
}

/**
 * The user that a linking was begun for. The session that began it must not have been ended since, or whoever was thrown
 * out could come back by the account; and whoever is signed in in this browser by now must be the same. Two guards hold
 * until the linking is written. The revision, as the user is read before the session and each end of sessions moves it on.
 * And when the session began: a user who is taken over has their sessions end a moment after, in which they are found still.
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
