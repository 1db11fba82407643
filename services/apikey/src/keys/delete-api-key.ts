import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { eraseKey } from "./erase-key.ts";
import { findManagedKey, type FindManagedKeyNeeds } from "./find-managed-key.ts";
import { refuseBanned } from "./refuse-banned.ts";

type DeleteApiKey = typeof operations.apikey.deleteApiKey;

/**
 * Deletes a key of the caller or of an organization. Of several concurrent calls, one deletes. Throws `USER_BANNED` and the errors of
 * `findManagedKey`.
 */
export const deleteApiKey = async (
  deps: FindManagedKeyNeeds & Pick<Deps, "clock">,
  call: Call<DeleteApiKey>,
): Promise<Answer<OperationReply<DeleteApiKey>>> => {
  const { body, caller, session } = call;
  refuseBanned(session.user, deps.clock());
  const { id } = await findManagedKey(deps, call, { id: body.keyId, action: "delete" });
  await eraseKey(deps, { id, actor: sessionActor(session), caller });
  return { reply: { success: true } };
};
