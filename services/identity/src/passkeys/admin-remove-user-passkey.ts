import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { adminActor } from "../admin/admin-actor.ts";
import { checkReach, recheckReach } from "../admin/reach.ts";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { lockUser } from "../users/queries.ts";
import { removePasskey, type RemovePasskeyNeeds } from "./remove-passkey.ts";

const { permission } = operations.identity.adminRemoveUserPasskey;
type AdminRemoveUserPasskey = typeof operations.identity.adminRemoveUserPasskey;

/**
 * Removes a passkey of a user, such as a lost or copied one, and notifies the user. It may be the last way in: the admin can mail a link to
 * choose a password.
 */
export const adminRemoveUserPasskey = async (
  deps: RemovePasskeyNeeds & Pick<Deps, "config">,
  call: Call<AdminRemoveUserPasskey>,
): Promise<Answer<OperationReply<AdminRemoveUserPasskey>>> => {
  const { body, caller } = call;
  const user = await findUser(deps, { id: body.userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
  checkReach(deps, call, act);
  await deps.db.transaction().execute(async (trx) => {
    await recheckReach(deps, call, act)(trx);
    await lockUser(trx, user.id);
    await removePasskey(deps, trx, { id: body.id, user, actor: adminActor(call), caller });
  });
  deps.wakeRelay();
  return { reply: { success: true } };
};
