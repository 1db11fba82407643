import type { Caller, ClaimedMethod, Event } from "@latchkey/contracts";
import { appendAudit, appendAudits, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction, Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { type PasskeyRow, deletePasskeys } from "../rows/passkeys.ts";
import { type AppendUnlinkedNeeds, appendUnlinked } from "./own-accounts.ts";
import { type TokenAccount, deleteAccounts, listClaimedMethods } from "../rows/accounts.ts";
import { dropSecondFactor } from "../rows/second-factors.ts";
import { mailLocaleOf } from "../users/email.ts";
import { findUserById, updateClaimed } from "../users/queries.ts";
import type { ProposedSecret } from "../secrets/secrets.ts";
import { endAccess } from "../access/end-access.ts";

interface Dropped {
  userId: string;
  /** All that has ended. */
  ended: readonly ClaimedMethod[];
  passkeys: readonly Pick<PasskeyRow, "id" | "name">[];
  accounts: readonly TokenAccount[];
  caller: Caller;
}

/** Records the sign-in methods that ended because a stranger may hold them, with each passkey and account. */
export const auditDropped = async (
  trx: Transaction<Tables>,
  deps: AppendUnlinkedNeeds,
  { userId, ended, passkeys, accounts, caller }: Dropped,
): Promise<void> => {
  const entry = {
    actor: { kind: "user", id: userId } as const,
    subject: { kind: "user", id: userId },
    caller,
  };
  await appendAudit(trx, deps, { ...entry, action: "user.claimed", after: { ended } });
  await appendAudits(
    trx,
    deps,
    passkeys.map((before): AuditEntry => ({ ...entry, action: "passkey.removed", before })),
  );
  if (accounts.length === 0) return;
  const before = { accounts: accounts.map(({ id, providerId }) => ({ id, providerId })) };
  await appendAudit(trx, deps, { ...entry, action: "user.accounts-dropped", before });
};

/**
 * Deletes a user's accounts, except those that `deleteAccounts` spares, publishes events to revoke their grants, and returns them. Lock
 * the user first, so that no account is added concurrently.
 */
export const dropAccounts = async (
  trx: Kysely<Tables>,
  deps: AppendUnlinkedNeeds,
  of: Parameters<typeof deleteAccounts>[1],
): Promise<TokenAccount[]> => {
  const dropped = await deleteAccounts(trx, of);
  await appendUnlinked(trx, deps, dropped);
  return dropped;
};

/** A link by which the new holder of the user chooses a password. Proposed before the transaction, because hooks may see it. */
export interface ClaimResetLink {
  url: string;
  proposed: ProposedSecret;
}

interface AppliedClaim {
  userId: string;
  kept?: string | undefined;
  caller: Caller;
  resetLink?: ClaimResetLink | undefined;
  /** Whether somebody certainly reads the address. Otherwise we would mail strangers. */
  isAddressRead?: boolean;
}

const mailEnded = async (
  trx: Transaction<Tables>,
  deps: AppendUnlinkedNeeds,
  {
    userId,
    caller,
    ended,
    resetLink,
  }: Pick<AppliedClaim, "caller" | "resetLink" | "userId"> & { ended: ClaimedMethod[] },
): Promise<void> => {
  const user = await findUserById(trx, userId);
  if (!user) return;
  const { email, name } = user;
  const link = ended.includes("password") ? resetLink : undefined;
  if (link) await link.proposed.store(trx);
  const language = await mailLocaleOf(trx, { userId, caller });
  const data = { userId, email, name, ended, ...language, ...(link && { url: link.url }) };
  await appendEvent(trx, deps, { name: "account.claimed", data });
};

/**
 * Removes every sign-in method of a first registrant who never proved the address. Runs in the transaction that gives the
 * user to the address's owner, whose account is `kept`, if one
 * was the proof. The user must be locked.
 *
 * Deletes the other accounts, the second factor, passkeys, mailed tokens and pending sign-ins. Keeps provisioned accounts.
 * Ends what an existing session has begun, such as a link at a provider or
 * a change of address. The published event ends the sessions even if this process dies before it has ended them.
 *
 * Returns the event that ends API keys. Record it as urgent once the transaction has committed.
 */
export const applyClaim = async (
  trx: Transaction<Tables>,
  deps: AppendUnlinkedNeeds,
  { userId, kept, caller, resetLink, isAddressRead = true }: AppliedClaim,
): Promise<Event | undefined> => {
  const ended = await listClaimedMethods(trx, { userId, kept });
  const dropped = await dropAccounts(trx, deps, { userId, kept, sparesProvisioned: true });
  const passkeys = await deletePasskeys(trx, userId);
  await dropSecondFactor(trx, userId);
  await updateClaimed(trx, userId, new Date(deps.clock()));
  const claimed = await endAccess(trx, deps, { userId, fact: "user.claimed" });
  await auditDropped(trx, deps, { userId, caller, ended, passkeys, accounts: dropped });
  if (isAddressRead && ended.length > 0)
    await mailEnded(trx, deps, { userId, caller, ended, resetLink });
  return claimed;
};
