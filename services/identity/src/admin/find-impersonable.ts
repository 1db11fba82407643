import { isAdmin, operations, WireError } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { type AdminCall, isOneself } from "./admin-actor.ts";
import { checkReach } from "./reach.ts";

const { permission } = operations.identity.adminImpersonateUser;

/** The call of an admin, who always has a session. */
export type ImpersonatorCall = AdminCall & { session: ResolvedSession };

/** Returns the user whom the caller may impersonate now. Throws the reason why not. */
export const findImpersonable = async (
  deps: Pick<Deps, "config" | "db">,
  call: ImpersonatorCall,
  userId: string,
): Promise<UserRow> => {
  const { admin } = deps.config;
  // The admin web names the admin's own session while the browser holds an impersonation, which must not nest.
  if (call.caller.impersonationToken !== undefined)
    throw new WireError("YOU_ARE_ALREADY_IMPERSONATING_A_USER");
  const target = await findUser(deps, { id: userId });
  if (!target) throw new WireError("USER_NOT_FOUND");
  if (isOneself(call, target.id)) throw new WireError("YOU_CANNOT_IMPERSONATE_YOURSELF");
  if (isAdmin(admin, target) && !admin.allowImpersonatingAdmins)
    throw new WireError("YOU_CANNOT_IMPERSONATE_ADMINS");
  checkReach(deps, call, { permission, target });
  return target;
};
