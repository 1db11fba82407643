import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteKey } from "./queries.ts";

type AdminDeleteApiKey = typeof operations.apikey.adminDeleteApiKey;

/** Deletes a key of anybody; of several at once one deletes. Throws `KEY_NOT_FOUND`. */
export const adminDeleteApiKey = async (
  deps: Pick<Deps, "clock" | "db">,
  { params: { id }, caller, session }: Call<AdminDeleteApiKey>,
): Promise<Answer<OperationReply<AdminDeleteApiKey>>> => {
  await deps.db.transaction().execute(async (trx) => {
    const deleted = await deleteKey(trx, id);
    if (!deleted) throw new WireError("KEY_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "api-key", id },
      action: "api-key.deleted",
      caller,
      before: { userId: deleted.userId },
    });
  });
  return { reply: { success: true } };
};
