import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { eraseUser, type EraseUserNeeds } from "../users/erase-user.ts";
import { adminActor, isOneself } from "./admin-actor.ts";
import { recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminRemoveUser;
type AdminRemoveUser = typeof operations.identity.adminRemoveUser;

/** Deletes a user with all their data. Succeeds for a user who was deleted already. */
export const removeUser = async (
  deps: EraseUserNeeds,
  call: Call<AdminRemoveUser>,
): Promise<Answer<OperationReply<AdminRemoveUser>>> => {
  const { userId } = call.body;
  if (isOneself(call, userId)) throw new WireError("YOU_CANNOT_REMOVE_YOURSELF");
  const act = { permission, target: { id: userId } };
  await eraseUser(deps, {
    userId,
    caller: call.caller,
    actor: adminActor(call),
    within: recheckReach(deps, call, act),
  });
  return { reply: { success: true } };
};
