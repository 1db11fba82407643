import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import { adminActor } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminUnbanUser;
type AdminUnbanUser = typeof operations.identity.adminUnbanUser;

/** Lifts the ban of a user, who may then sign in again. */
export const unbanUser = async (
  deps: ChangeUserNeeds & Pick<Deps, "showUser">,
  call: Call<AdminUnbanUser>,
): Promise<Answer<OperationReply<AdminUnbanUser>>> => {
  const user = await findUser(deps, { id: call.body.userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
  checkReach(deps, call, act);
  const unbanned = await changeUser(deps, {
    user,
    change: { banned: false, banReason: null, banExpires: null },
    action: "user.unbanned",
    actor: adminActor(call),
    caller: call.caller,
    within: recheckReach(deps, call, act),
  });
  if (!unbanned) throw new WireError("USER_NOT_FOUND");
  return { reply: { user: deps.showUser(unbanned) } };
};
