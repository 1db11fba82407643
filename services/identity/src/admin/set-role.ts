import { isAdmin, type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { keepAdmin } from "./keep-admin.ts";
import { readRoles } from "./read-roles.ts";
import { adminActor, isOneself } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminSetRole;
type AdminSetRole = typeof operations.identity.adminSetRole;
type SetRole = typeof operations.identity.setRole;
type Needs = ChangeUserNeeds & Pick<Deps, "showUser">;

/**
 * Assigns roles to a user, effective at once. No admin can demote themselves, and the last admin stays. A service may
 * create the first admin.
 */
export const setRole = async (
  deps: Needs,
  call: Call<AdminSetRole> | Call<SetRole>,
): Promise<Answer<OperationReply<AdminSetRole>>> => {
  const { admin } = deps.config;
  const { userId, role: given } = call.body;
  const role = readRoles(admin, given);
  const user = await findUser(deps, { id: userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user, role };
  checkReach(deps, call, act);
  const recheck = recheckReach(deps, call, act);
  const staysAdmin = isAdmin(admin, { id: userId, role });
  if (isOneself(call, userId) && isAdmin(admin, user) && !staysAdmin)
    throw new WireError("YOU_CANNOT_DEMOTE_YOURSELF");
  const changed = await changeUser(deps, {
    user,
    change: { role },
    action: "user.role-changed",
    actor: adminActor(call),
    caller: call.caller,
    within: async (trx) => {
      await recheck(trx);
      if (!staysAdmin) await keepAdmin(deps, trx, { losing: userId });
    },
  });
  if (!changed) throw new WireError("USER_NOT_FOUND");
  return { reply: { user: deps.showUser(changed) } };
};
