import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { endChallenges } from "../second-factor/queries.ts";
import { lockUser } from "../users/queries.ts";
import { appendUnlinked, type AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { countWaysIn } from "./count-ways-in.ts";
import { countAccounts, deleteNamedAccount } from "./queries.ts";

type UnlinkAccount = typeof operations.identity.unlinkAccount;

/**
 * Unlinks one of the caller's accounts and publishes an event to revoke its grant. Refuses if the caller has only one and no other way
 * to sign in, whichever was named.
 */
export const unlinkAccount = async (
  deps: AppendUnlinkedNeeds & Pick<Deps, "db" | "wakeRelay">,
  { body, caller, session: current }: Call<UnlinkAccount>,
): Promise<Answer<OperationReply<UnlinkAccount>>> => {
  const { allowUnlinkingAll } = deps.config.account.accountLinking;
  const { userId } = current.session;
  const { providerId, accountId } = body;
  await deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, userId);
    if (!locked) throw new WireError("ACCOUNT_NOT_FOUND"); // deleted meanwhile
    const isLast = async () =>
      (await countAccounts(trx, userId)) === 1 &&
      (await countWaysIn(deps, trx, { ...locked, id: userId })) === 1;
    if (!allowUnlinkingAll && (await isLast()))
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
