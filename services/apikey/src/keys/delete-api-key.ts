import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findManagedKey, type FindManagedKeyNeeds } from "./find-managed-key.ts";
import { ownerOf } from "./key-owner.ts";
import { deleteKey } from "./queries.ts";
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
  await deps.db.transaction().execute(async (trx) => {
    const deleted = await deleteKey(trx, id);
    if (!deleted) throw new WireError("KEY_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "api-key", id },
      action: "api-key.deleted",
      caller,
      before: ownerOf(deleted),
    });
  });
  return { reply: { success: true } };
};
