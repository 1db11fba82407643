import type { Caller } from "@latchkey/contracts";
import { appendAudit, appendEvent } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { markSessionsEnded } from "../users/mark-sessions-ended.ts";
import { dropTokens } from "../verification/single-use-token.ts";
import type { AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { dropAccounts } from "./drop-accounts.ts";

/**
 * Leaves whoever registered an address that they never proved no way in, in the transaction that gives the user to its
 * owner, by the account that is `kept`: other accounts and mailed tokens end with it, and what is begun in a session that
 * there is by then is not written any more, be it a linking that comes back from a provider or a change of address. The
 * sessions themselves end by its event, should we die before we have ended them. The user is locked.
 */
export const takeOver = async (
  trx: Transaction<Tables>,
  deps: AppendUnlinkedNeeds,
  { userId, kept, caller }: { userId: string; kept: string; caller: Caller },
): Promise<void> => {
  const dropped = await dropAccounts(trx, deps, { userId, kept });
  await dropTokens(trx, userId);
  await markSessionsEnded(trx, userId, new Date(deps.clock()));
  await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } });
  if (dropped.length === 0) return;
  const accounts = dropped.map(({ id, providerId, accountId }) => ({ id, providerId, accountId }));
  await appendAudit(trx, deps, {
    actor: { kind: "user", id: userId },
    subject: { kind: "user", id: userId },
    action: "user.accounts-dropped",
    caller,
    before: { accounts },
  });
};
