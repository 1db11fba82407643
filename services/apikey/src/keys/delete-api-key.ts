import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deleteOwnKey } from "./queries.ts";
import { refuseBanned } from "./refuse-banned.ts";

type DeleteApiKey = typeof operations.apikey.deleteApiKey;

/** Deletes a key of the caller. Of several concurrent calls, one deletes. Throws `USER_BANNED` and `KEY_NOT_FOUND`. */
export const deleteApiKey = async (
  deps: Pick<Deps, "clock" | "db">,
  { body: { keyId: id }, caller, session }: Call<DeleteApiKey>,
): Promise<Answer<OperationReply<DeleteApiKey>>> => {
  const { user } = session;
  refuseBanned(user, deps.clock());
  await deps.db.transaction().execute(async (trx) => {
    const userId = user.id;
    if (!(await deleteOwnKey(trx, { id, userId }))) throw new WireError("KEY_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "api-key", id },
      action: "api-key.deleted",
      caller,
      before: { userId },
    });
  });
  return { reply: { success: true } };
};
