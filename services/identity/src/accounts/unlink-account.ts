import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { sessionActor } from "../sessions/session-actor.ts";
import { lockUser } from "../users/lock-user.ts";
import { countAccounts, deleteAccount } from "./queries.ts";

type UnlinkAccount = typeof operations.identity.unlinkAccount;

/** Removes one of the caller's ways in. Who has one left keeps it, even where another one was named. */
export const unlinkAccount = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { body, caller, session: current }: Call<UnlinkAccount>,
): Promise<Answer<OperationReply<UnlinkAccount>>> => {
  const { allowUnlinkingAll } = deps.config.account.accountLinking;
  const { userId } = current.session;
  const { providerId, accountId } = body;
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    if (!allowUnlinkingAll && (await countAccounts(trx, userId)) === 1)
      throw new WireError("YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT");
    const unlinked = await deleteAccount(trx, { userId, providerId, accountId });
    if (!unlinked) throw new WireError("ACCOUNT_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(current),
      subject: { kind: "user", id: userId },
      action: "account.unlinked",
      caller,
      before: { ...unlinked },
    });
  });
  return { reply: { status: true } };
};
