import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call } from "@latchkey/service-kit";
import { adminActor } from "../admin/admin-actor.ts";
import { checkReach, recheckReach } from "../admin/reach.ts";
import type { Deps } from "../deps.ts";
import { endChallenges } from "../second-factor/queries.ts";
import { findUser } from "../users/find-user.ts";
import { lockUser } from "../users/queries.ts";
import { appendUnlinked, type AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { deleteProviderAccount } from "./queries.ts";

const { permission } = operations.identity.adminUnlinkAccount;
type AdminUnlinkAccount = typeof operations.identity.adminUnlinkAccount;

/**
 * Unlinks an account at a provider, such as one that an attacker has added, and publishes an event to revoke its grant. It may be the last
 * way in: the admin can mail a link to choose a password.
 */
export const adminUnlinkAccount = async (
  deps: AppendUnlinkedNeeds & Pick<Deps, "db" | "wakeRelay">,
  call: Call<AdminUnlinkAccount>,
): Promise<Answer<OperationReply<AdminUnlinkAccount>>> => {
  const { body, caller } = call;
  const user = await findUser(deps, { id: body.userId });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
  checkReach(deps, call, act);
  const { id: userId } = user;
  await deps.db.transaction().execute(async (trx) => {
    await recheckReach(deps, call, act)(trx);
    await lockUser(trx, userId);
    const unlinked = await deleteProviderAccount(trx, { userId, id: body.id });
    if (!unlinked) throw new WireError("ACCOUNT_NOT_FOUND");
    await endChallenges(trx, userId);
    await appendAudit(trx, deps, {
      actor: adminActor(call),
      subject: { kind: "user", id: userId },
      action: "account.unlinked",
      caller,
      before: { id: unlinked.id, providerId: unlinked.providerId },
    });
    await appendUnlinked(trx, deps, [unlinked]);
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};
