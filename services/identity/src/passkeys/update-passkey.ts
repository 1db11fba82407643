import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { updatePasskeyName } from "./queries.ts";
import { showPasskey } from "./show-passkey.ts";

type UpdatePasskey = typeof operations.identity.updatePasskey;

/** Renames one of the caller's passkeys. */
export const updatePasskey = async (
  deps: Pick<Deps, "clock" | "db">,
  { body: { id, name }, caller, session: { user } }: Call<UpdatePasskey>,
): Promise<Answer<OperationReply<UpdatePasskey>>> => {
  const passkey = await deps.db.transaction().execute(async (trx) => {
    const renamed = await updatePasskeyName(trx, { id, userId: user.id, name });
    if (!renamed) throw new WireError("PASSKEY_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: user.id },
      subject: { kind: "user", id: user.id },
      action: "passkey.renamed",
      caller,
      after: { id, name },
    });
    return renamed;
  });
  return { reply: { passkey: showPasskey(passkey) } };
};
