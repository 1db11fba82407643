import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { eraseUser, type EraseUserNeeds } from "../users/erase-user.ts";
import { adminActor, isOneself } from "./admin-actor.ts";

type AdminRemoveUser = typeof operations.identity.adminRemoveUser;

/** Deletes a user with all that is theirs; one who is gone already is as good as deleted. */
export const removeUser = async (
  deps: EraseUserNeeds,
  call: Call<AdminRemoveUser>,
): Promise<Answer<OperationReply<AdminRemoveUser>>> => {
  const { userId } = call.body;
  if (isOneself(call, userId)) throw new WireError("YOU_CANNOT_REMOVE_YOURSELF");
  await eraseUser(deps, { userId, caller: call.caller, actor: adminActor(call) });
  return { reply: { success: true } };
};
