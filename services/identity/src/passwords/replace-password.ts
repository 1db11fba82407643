import { type AccountRow, type Caller, type Event, WireError } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import { proposeAccount as proposeNewAccount } from "../accounts/propose-account.ts";
import { applyClaim } from "../accounts/apply-claim.ts";
import { oneTimeTokens } from "../cross-site-sign-in/one-time-token.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { endChallengesAndTrust, markPasswordReset } from "../second-factor/queries.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { isUntouchedInvitation } from "../user-invitations/queries.ts";
import { lockUser, updateProven } from "../users/queries.ts";
import { renewUserSnapshots } from "../users/renew-user-snapshots.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { dropTokens, resetPasswordToken } from "../one-time-tokens/single-use-token.ts";
import { verificationLinks } from "../email-verification/use-verification-link.ts";
import { findPasswordAccount, insertPasswordAccount, updatePassword } from "./queries.ts";

export type ReplacePasswordNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "revisionRecords"
  | "limits"
  | "logger"
  | "newEventId"
  | "newId"
  | "providers"
  | "ring"
  | "sessions"
  | "urgentEvents"
  | "wakeRelay"
>;

export interface PasswordReplacement {
  userId: string;
  /** The hash of the new password. */
  passwordHash: string;
  /** The hash that must still be stored. Null means that there must be none. Omitted means any. */
  seen?: string | null;
  /** Which sessions end: none, all of the user's, or all except the one whose token has the hash `except`. */
  ends: "none" | "all" | { except: Buffer };
  /**
   * The password was chosen by a reader of the user's mail. If the address was unverified, or verified only by a mailed
   * link, all other sign-in methods and sessions end, whatever `ends` says. A stranger who registered the address thus
   * keeps no access. An untouched invitation is exempt: nobody could sign in, so API keys that were prepared for the user stay.
   */
  byMail?: boolean;
  /** The address that the user has proven with it. The password is not written if it is no longer theirs. */
  proves?: string;
  /** The audit action. */
  action: string;
  actor: AuditEntry["actor"];
  caller: Caller;
  /** Runs first in the transaction, before any lock. An error rolls it back. */
  before?: (trx: Transaction<Tables>) => Promise<void>;
  /** Runs in the transaction. An error rolls it back. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

/** The account that receives the hash: an existing or a new one. */
interface ProposedAccount {
  account: AccountRow;
  isNew: boolean;
}

/**
 * Returns the account to write, or undefined if the application's hook vetoes. An existing account can change in nothing
 * else. Otherwise returns a new one, if a first password is allowed.
 */
const proposeAccount = async (
  deps: ReplacePasswordNeeds,
  { userId, seen }: PasswordReplacement,
): Promise<ProposedAccount | undefined> => {
  const found = await findPasswordAccount(deps.db, userId);
  if (!found) {
    if (typeof seen === "string") return undefined;
    const account = await proposeNewAccount(deps, userId, { providerId: "credential" });
    if (!account) throw new WireError("FAILED_TO_UPDATE_USER");
    return { account, isNew: true };
  }
  const { password: _, ...account } = found;
  if (!(await applyBeforeHook(deps.config.databaseHooks.account.update, account)))
    throw new WireError("FAILED_TO_UPDATE_USER");
  return { account, isNew: false };
};

/** Returns the id of the written account. */
const write = (
  trx: Transaction<Tables>,
  { userId, passwordHash: password, seen, actor }: PasswordReplacement,
  { account, isNew, now }: ProposedAccount & { now: Date },
): Promise<string | undefined> => {
  const provisioned = actor.kind !== "user" || actor.id !== userId;
  const times = { createdAt: now, updatedAt: now };
  return isNew
    ? insertPasswordAccount(trx, { ...account, password, provisioned, ...times })
    : updatePassword(trx, { userId, password, provisioned, now, seen });
};

/** Publishes the event that ends sessions even if this process dies before it does so. */
const announceEnd = async (
  deps: ReplacePasswordNeeds,
  trx: Transaction<Tables>,
  { userId, ends }: PasswordReplacement,
): Promise<void> => {
  if (ends === "none") return;
  const spared = ends === "all" ? {} : { exceptHash: ends.except.toString("hex") };
  await appendEvent(trx, deps, { name: "session.revoked-all", data: { userId, ...spared } });
};

const endSessions = async (
  deps: ReplacePasswordNeeds,
  { userId, actor, caller }: PasswordReplacement,
  ends: PasswordReplacement["ends"],
): Promise<void> => {
  if (ends === "none") return renewUserSnapshots(deps, userId);
  deps.wakeRelay();
  await deps.sessions.revokeAll(userId, ends === "all" ? undefined : ends.except, {
    actor,
    subject: { kind: "user", id: userId },
    action: ends === "all" ? "session.revoked-all" : "session.revoked-others",
    caller,
  });
};

/** The sessions that end with a written password, and the event that ends API keys if the user was claimed. */
interface Written {
  ends: PasswordReplacement["ends"];
  claimed?: Event;
}

/** Writes the password and everything that belongs to the change. Returns undefined if nothing is written. */
const commit = async (
  deps: ReplacePasswordNeeds,
  replacement: PasswordReplacement,
  proposed: ProposedAccount,
): Promise<Written | undefined> => {
  const { userId, ends, byMail, proves, action, actor, caller, before, within } = replacement;
  const now = new Date(deps.clock());
  return deps.db.transaction().execute(async (trx) => {
    await before?.(trx);
    // Otherwise two concurrent uses of tokens of one user would deadlock.
    const user = await lockUser(trx, userId);
    const isTheirs = proves === undefined || proves === user?.email;
    // Nobody could sign in as this user yet, so all existing API keys were prepared by an admin or a service.
    const isUntouched = byMail === true && (await isUntouchedInvitation(trx, userId));
    const kept = user && isTheirs && (await write(trx, replacement, { ...proposed, now }));
    if (!user || kept === false || kept === undefined) return undefined;
    await within?.(trx);
    await dropTokens(trx, userId, resetPasswordToken);
    await dropTokens(trx, userId, verificationLinks);
    await dropTokens(trx, userId, oneTimeTokens);
    if (byMail) await markPasswordReset(trx, userId, now);
    await endChallengesAndTrust(trx, userId);
    await endPendingSignIns(trx, deps, { userId });
    await deps.limits.resetPasswordTries(trx, userId);
    await advanceRevision(deps, trx, { userId, caller });
    const isProven = user.emailVerified && !user.verifiedByLinkAlone;
    const isClaimed = byMail === true && !isProven && !isUntouched;
    const claimed = isClaimed ? await applyClaim(trx, deps, { userId, kept, caller }) : undefined;
    if (!claimed) await announceEnd(deps, trx, replacement);
    const subject = { kind: "user", id: userId };
    if (proves !== undefined && (await updateProven(trx, userId, now)))
      await appendAudit(trx, deps, { actor, subject, action: "user.email-verified", caller });
    await appendAudit(trx, deps, { actor, subject, action, caller });
    return claimed ? { ends: "all", claimed } : { ends };
  });
};

/**
 * Replaces a user's password, or sets a first one. The same transaction deletes earlier reset and verification links. It
 * also publishes the event that ends sessions if this process dies before. Returns false, and writes nothing, if the user
 * was deleted or `seen` is no longer stored.
 */
export const replacePassword = async (
  deps: ReplacePasswordNeeds,
  replacement: PasswordReplacement,
): Promise<boolean> => {
  const proposed = await proposeAccount(deps, replacement);
  if (!proposed) return false;
  const written = await commit(deps, replacement, proposed);
  if (!written) return false;
  if (written.claimed) deps.urgentEvents.note(replacement.caller, written.claimed);
  await endSessions(deps, replacement, written.ends);
  const { create, update } = deps.config.databaseHooks.account;
  await (proposed.isNew ? create : update).after?.(proposed.account);
  return true;
};
