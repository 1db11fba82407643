import {
  type AccountRow,
  type Caller,
  type Event,
  type FactName,
  WireError,
} from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import { proposeAccount as proposeNewAccount } from "../accounts/link-account.ts";
import { applyClaim } from "../accounts/drop-accounts.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { markPasswordReset } from "../rows/second-factors.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { isUntouchedInvitation } from "../users/invitations/queries.ts";
import { lockUser, updateProven } from "../users/queries.ts";
import { renewUserSnapshots } from "../users/renew-user-snapshots.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { findPasswordAccount, insertPasswordAccount, updatePassword } from "../rows/passwords.ts";
import { endAccess } from "../access/end-access.ts";
import { endSessions } from "../sessions/end-sessions.ts";

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
  /** Which sessions end: none, all of the user's, or all except a new one, by the hash of its token and the time when it began. */
  ends: "none" | "all" | { except: Buffer; since: Date };
  /**
   * The password was chosen by a reader of the user's mail. If the address was unverified, or verified only by a mailed
   * link, all other sign-in methods and sessions end, whatever `ends` says. A stranger who registered the address thus
   * keeps no access. An untouched invitation is exempt: nobody could sign in, so API keys that were prepared for the user stay.
   */
  byMail?: boolean;
  /** The address that the user has proven with it. The password is not written if it is no longer theirs. */
  proves?: string;
  /** The fact that the audit records, which also says what ends. */
  action: Extract<FactName, `password.${"changed" | "reset" | "set"}` | "user-invitation.accepted">;
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
  const passwordAccount = await findPasswordAccount(deps.db, userId);
  if (!passwordAccount) {
    if (typeof seen === "string") return undefined;
    const account = await proposeNewAccount(deps, userId, { providerId: "credential" });
    if (!account) throw new WireError("FAILED_TO_UPDATE_USER");
    return { account, isNew: true };
  }
  const { password: _, ...account } = passwordAccount;
  if (!(await applyBeforeHook(deps.config.databaseHooks.account.update, account)))
    throw new WireError("FAILED_TO_UPDATE_USER");
  return { account, isNew: false };
};

/** Returns the id of the written account. */
const write = (
  trx: Transaction<Tables>,
  { userId, passwordHash: password, seen, actor }: PasswordReplacement,
  { account, isNew, now, isProven }: ProposedAccount & { now: Date; isProven: boolean },
): Promise<string | undefined> => {
  // A stranger who registered the address may have requested it, so a password for an unproven address ends with a claim.
  const provisioned = isProven && (actor.kind !== "user" || actor.id !== userId);
  const times = { createdAt: now, updatedAt: now };
  return isNew
    ? insertPasswordAccount(trx, { ...account, password, provisioned, ...times })
    : updatePassword(trx, { userId, password, provisioned, now, seen });
};

interface KeyEnd {
  /** Whether API keys that can stand for a session end. */
  endsKeys: boolean;
  now: Date;
}

/**
 * Publishes and returns the event that ends the API keys that can stand for a session. They end with the sessions, and whenever a reader
 * of the user's mail chose the password.
 */
const endKeySessions = async (
  deps: ReplacePasswordNeeds,
  trx: Transaction<Tables>,
  { userId, ends, endsKeys, now }: Pick<PasswordReplacement, "ends" | "userId"> & KeyEnd,
): Promise<Event | undefined> => {
  if (!endsKeys) return undefined;
  const since = ends === "all" || ends === "none" ? now : ends.since;
  const sessions = ends === "none" ? {} : { sessionsBefore: since.toISOString() };
  return appendEvent(trx, deps, { name: "key-sessions.ended", data: { userId, ...sessions } });
};

const settleSessions = async (
  deps: ReplacePasswordNeeds,
  { userId, actor, caller }: PasswordReplacement,
  ends: PasswordReplacement["ends"],
): Promise<void> => {
  if (ends === "none") return renewUserSnapshots(deps, userId);
  deps.wakeRelay();
  const except = ends === "all" ? undefined : ends.except;
  await endSessions(deps, { userId, except, actor, caller });
};

/** The sessions that end with a written password, and the event that ends API keys, if any do. */
interface Written {
  ends: PasswordReplacement["ends"];
  keysEnded: Event | undefined;
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
    if (!user || !isTheirs) return undefined;
    const isProven = user.emailVerified && !user.verifiedByLinkAlone;
    const accountId = await write(trx, replacement, { ...proposed, now, isProven });
    if (accountId === undefined) return undefined;
    await within?.(trx);
    if (byMail) await markPasswordReset(trx, userId, now);
    await deps.limits.resetPasswordTries(trx, userId);
    await advanceRevision(deps, trx, { userId, caller });
    const isClaimed = byMail === true && !isProven && !isUntouched;
    const claimed = isClaimed
      ? await applyClaim(trx, deps, { userId, kept: accountId, caller })
      : undefined;
    await endAccess(trx, deps, { userId, fact: action, sessions: claimed ? "none" : ends });
    // Keys that were prepared for an invited user are theirs.
    const endsKeys = !isUntouched && (byMail === true || ends !== "none");
    const keysEnded = claimed ?? (await endKeySessions(deps, trx, { userId, ends, endsKeys, now }));
    const subject = { kind: "user", id: userId };
    if (proves !== undefined && (await updateProven(trx, userId, now)))
      await appendAudit(trx, deps, { actor, subject, action: "user.email-verified", caller });
    await appendAudit(trx, deps, { actor, subject, action, caller });
    return { ends: claimed ? "all" : ends, keysEnded };
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
  const replaced = await commit(deps, replacement, proposed);
  if (!replaced) return false;
  if (replaced.keysEnded) {
    deps.urgentEvents.note(replacement.caller, replaced.keysEnded);
    deps.wakeRelay();
  }
  await settleSessions(deps, replacement, replaced.ends);
  const { create, update } = deps.config.databaseHooks.account;
  await (proposed.isNew ? create : update).after?.(proposed.account);
  return true;
};
