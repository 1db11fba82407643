import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { endChallenges } from "../second-factor/queries.ts";
import { lockUser } from "../users/queries.ts";
import { appendUnlinked, type AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { countAccounts, deleteNamedAccount } from "./queries.ts";

type UnlinkAccount = typeof operations.identity.unlinkAccount;

/**
 * Unlinks one of the caller's accounts and publishes an event to revoke its grant. Refuses if the caller has only one,
 * whichever was named.
 */
export const unlinkAccount = async (
  deps: AppendUnlinkedNeeds & Pick<Deps, "db" | "wakeRelay">,
  { body, caller, session: current }: Call<UnlinkAccount>,
): Promise<Answer<OperationReply<UnlinkAccount>>> => {
  const { allowUnlinkingAll } = deps.config.account.accountLinking;
  const { userId } = current.session;
  const { providerId, accountId } = body;
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    if (!allowUnlinkingAll && (await countAccounts(trx, userId)) === 1)
      throw new WireError("YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT");
    const unlinked = await deleteNamedAccount(trx, { userId, providerId, accountId });
    if (!unlinked) throw new WireError("ACCOUNT_NOT_FOUND");
    await endChallenges(trx, userId);
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action: "account.unlinked",
      caller,
      before: { id: unlinked.id, providerId },
    });
    await appendUnlinked(trx, deps, [unlinked]);
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};
