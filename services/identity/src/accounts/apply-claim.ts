import type { Caller, Event } from "@latchkey/contracts";
import { appendEvent } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { dropSecondFactor } from "../second-factor/queries.ts";
import { deletePasskeys } from "../passkeys/queries.ts";
import { updateClaimed } from "../users/queries.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { dropTokens } from "../one-time-tokens/single-use-token.ts";
import type { AppendUnlinkedNeeds } from "./append-unlinked.ts";
import { auditDropped } from "./audit-dropped.ts";
import { dropAccounts } from "./drop-accounts.ts";

/**
 * Removes every sign-in method of a first registrant who never proved the address. Runs in the transaction that gives the
 * user to the address's owner, whose account is `kept`, if one
 * was the proof. The user must be locked.
 *
 * Deletes the other accounts, the second factor, passkeys, mailed tokens and pending sign-ins. Keeps accounts that an admin
 * or an import gave. Ends what an existing session has begun, such as a link at a provider or
 * a change of address. The published event ends the sessions even if this process dies before it has ended them.
 *
 * Returns the event that ends API keys. Record it as urgent once the transaction has committed.
 */
export const applyClaim = async (
  trx: Transaction<Tables>,
  deps: AppendUnlinkedNeeds,
  { userId, kept, caller }: { userId: string; kept?: string | undefined; caller: Caller },
): Promise<Event<"user.claimed">> => {
  const dropped = await dropAccounts(trx, deps, { userId, kept, sparesProvisioned: true });
  const passkeys = await deletePasskeys(trx, userId);
  await dropTokens(trx, userId);
  await dropSecondFactor(trx, userId);
  await endPendingSignIns(trx, deps, { userId });
  await updateClaimed(trx, userId, new Date(deps.clock()));
  await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId } });
  const claimed = await appendEvent(trx, deps, { name: "user.claimed", data: { userId } });
  await auditDropped(trx, deps, { userId, caller, passkeys, accounts: dropped });
  return claimed;
};
