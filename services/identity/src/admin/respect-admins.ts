import { type ErrorCode, isAdmin, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import type { AdminCall } from "./admin-actor.ts";

/**
 * Refuses that somebody who is no admin, but whose role allows an action, gets hold of what an admin signs in with: a new
 * password or a session's token of theirs would allow everything.
 */
export const respectAdmins = async (
  deps: Pick<Deps, "config" | "db">,
  { session }: AdminCall,
  { userId, refusal }: { userId: string; refusal: ErrorCode },
): Promise<void> => {
  const { admin } = deps.config;
  if (!session || isAdmin(admin, session.user)) return;
  const target = await findUser(deps, { id: userId });
  if (target && isAdmin(admin, target)) throw new WireError(refusal);
};
