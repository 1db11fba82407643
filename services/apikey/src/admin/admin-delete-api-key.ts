import { type OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { eraseKey } from "../keys/erase-key.ts";
import { checkKeyReach, type CheckKeyReachNeeds } from "./check-key-reach.ts";

const { permission } = operations.apikey.adminDeleteApiKey;
type AdminDeleteApiKey = typeof operations.apikey.adminDeleteApiKey;

/** Deletes a key of any owner whom the caller may act on. Of several concurrent calls, one deletes. Throws `KEY_NOT_FOUND`. */
export const adminDeleteApiKey = async (
  deps: CheckKeyReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminDeleteApiKey>,
): Promise<Answer<OperationReply<AdminDeleteApiKey>>> => {
  const { params, caller, session } = call;
  await checkKeyReach(deps, call, permission);
  await eraseKey(deps, { id: params.id, actor: sessionActor(session), caller });
  return { reply: { success: true } };
};
