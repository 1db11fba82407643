import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { ownerOf } from "../keys/key-owner.ts";
import { deleteKey } from "../keys/queries.ts";
import { checkKeyReach, type CheckKeyReachNeeds } from "./check-key-reach.ts";

const { permission } = operations.apikey.adminDeleteApiKey;
type AdminDeleteApiKey = typeof operations.apikey.adminDeleteApiKey;

/** Deletes a key of any owner whom the caller may act on. Of several concurrent calls, one deletes. Throws `KEY_NOT_FOUND`. */
export const adminDeleteApiKey = async (
  deps: CheckKeyReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminDeleteApiKey>,
): Promise<Answer<OperationReply<AdminDeleteApiKey>>> => {
  const { params, caller, session } = call;
  const { id } = params;
  await checkKeyReach(deps, call, permission);
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
