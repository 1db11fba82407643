import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { countWaysIn, type CountWaysInNeeds } from "../accounts/count-ways-in.ts";
import { lockUser } from "../users/queries.ts";
import { removePasskey, type RemovePasskeyNeeds } from "./remove-passkey.ts";

type DeletePasskey = typeof operations.identity.deletePasskey;

/** Deletes one of the caller's passkeys. Refuses if no other way to sign in is left. Ends no session. */
export const deletePasskey = async (
  deps: RemovePasskeyNeeds & CountWaysInNeeds,
  { body: { id }, caller, session: { user } }: Call<DeletePasskey>,
): Promise<Answer<OperationReply<DeletePasskey>>> => {
  const actor = { kind: "user", id: user.id } as const;
  await deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, user.id);
    if (!locked) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
    await removePasskey(deps, trx, { id, user, actor, caller });
    const { allowUnlinkingAll } = deps.config.account.accountLinking;
    if (!allowUnlinkingAll && (await countWaysIn(deps, trx, { ...locked, id: user.id })) === 0)
      throw new WireError("YOU_CANT_REMOVE_YOUR_LAST_WAY_IN");
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};
