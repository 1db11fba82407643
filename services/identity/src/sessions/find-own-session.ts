import type { Caller } from "@latchkey/contracts";
import type { LiveSession } from "./live-session.ts";
import { resolveSession, type ResolveSessionNeeds } from "./resolve-session.ts";

/** Returns the caller's session, unless an admin impersonates the user in it: such a session proves nothing about its user. */
export const findOwnSession = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
): Promise<LiveSession | undefined> => {
  const found = await resolveSession(deps, caller, { disableRefresh: true });
  return found?.session.impersonatedBy ? undefined : found;
};
