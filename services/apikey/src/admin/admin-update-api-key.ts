import { type OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import { changeKey, type ChangeKeyNeeds } from "../keys/change-key.ts";
import { checkKeyReach, type CheckKeyReachNeeds } from "./check-key-reach.ts";
import { showAdminKey } from "./show-admin-key.ts";

const { permission } = operations.apikey.adminUpdateApiKey;
type AdminUpdateApiKey = typeof operations.apikey.adminUpdateApiKey;

/**
 * Changes the named fields of a key of any owner whom the caller may act on. Its owner cannot change a lifetime that is set here. Throws
 * `KEY_NOT_FOUND`, the error of the permission, the errors of `checkKeyChange`, and `NO_VALUES_TO_UPDATE`.
 */
export const adminUpdateApiKey = async (
  deps: CheckKeyReachNeeds & ChangeKeyNeeds,
  call: Call<AdminUpdateApiKey>,
): Promise<Answer<OperationReply<AdminUpdateApiKey>>> => {
  const { params, body: change, caller, session } = call;
  await checkKeyReach(deps, call, permission);
  const actor = sessionActor(session);
  const asked = { id: params.id, change, isOwn: false, actor, caller };
  return { reply: showAdminKey(await changeKey(deps, asked)) };
};
