import { type AccountRow, type Caller, WireError } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import { proposeAccount as proposeNewAccount } from "../accounts/propose-account.ts";
import { takeOver } from "../accounts/take-over.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { advanceEpoch } from "../epochs/advance-epoch.ts";
import { lockUser } from "../users/lock-user.ts";
import { renewUserCopies } from "../users/renew-user-copies.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { dropTokens, resetPasswordToken } from "../verification/single-use-token.ts";
import { findPasswordAccount, insertPasswordAccount, updatePassword } from "./queries.ts";

/** What it works with. */
export type ReplacePasswordNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "epochNotes"
  | "logger"
  | "newEventId"
  | "newId"
  | "providers"
  | "ring"
  | "sessions"
  | "wakeRelay"
>;

export interface PasswordReplacement {
  userId: string;
  /** Of the new password. */
  passwordHash: string;
  /** The hash that must still be stored, null where there must be none; whatever there is when left out. */
  seen?: string | null;
  /** Whose sessions end: nobody's, all of the user's, or all but the one whose token has the hash `except`. */
  ends: "none" | "all" | { except: Buffer };
  /**
   * It is chosen by who reads the user's mail. Where nobody had proven the address, whoever registered it keeps no way in,
   * whatever `ends` says.
   */
  byMail?: boolean;
  /** What was done, for the audit. */
  action: string;
  actor: AuditEntry["actor"];
  caller: Caller;
  /** What else is done in the transaction; what it throws prevents the rest. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

/** An account that a hash is to be written into: one that is there, or a first one. */
interface ProposedAccount {
  account: AccountRow;
  isNew: boolean;
}

/**
 * The account to write, unless the application's hook vetoes: the one that is there, in which nothing else can change, or a
 * new one where there may be a first password.
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

/** Gives the id of the account that it is in. */
const write = (
  trx: Transaction<Tables>,
  { userId, passwordHash: password, seen }: PasswordReplacement,
  { account, isNew, now }: ProposedAccount & { now: Date },
): Promise<string | undefined> =>
  isNew
    ? insertPasswordAccount(trx, { ...account, password, createdAt: now, updatedAt: now })
    : updatePassword(trx, { userId, password, now, seen });

/** Has sessions end even if we die before we come to it. */
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
  if (ends === "none") return renewUserCopies(deps, userId);
  deps.wakeRelay();
  await deps.sessions.revokeAll(userId, ends === "all" ? undefined : ends.except, {
    actor,
    subject: { kind: "user", id: userId },
    action: ends === "all" ? "session.revoked-all" : "session.revoked-others",
    caller,
  });
};

/** Writes the password and what goes with it; gives whose sessions are to end, or undefined where nothing is written. */
const commit = async (
  deps: ReplacePasswordNeeds,
  replacement: PasswordReplacement,
  proposed: ProposedAccount,
): Promise<PasswordReplacement["ends"] | undefined> => {
  const { userId, ends, byMail, action, actor, caller, within } = replacement;
  const now = new Date(deps.clock());
  return deps.db.transaction().execute(async (trx) => {
    // Two tokens of one user that are used at once would else wait for each other.
    const user = await lockUser(trx, userId);
    const kept = user && (await write(trx, replacement, { ...proposed, now }));
    if (!user || kept === undefined) return undefined;
    await within?.(trx);
    await dropTokens(trx, userId, resetPasswordToken);
    await advanceEpoch(deps, trx, { userId, caller });
    const isTakenOver = byMail === true && !user.emailVerified;
    if (isTakenOver) await takeOver(trx, deps, { userId, kept, caller });
    else await announceEnd(deps, trx, replacement);
    const subject = { kind: "user", id: userId };
    await appendAudit(trx, deps, { actor, subject, action, caller });
    return isTakenOver ? "all" : ends;
  });
};

/**
 * Gives a user another password, or a first one. With it commit the end of every reset link that was mailed before, and
 * the event that ends sessions if we die before they have ended. False, and nothing is written, when the user is gone or
 * `seen` is not what is stored any more.
 */
export const replacePassword = async (
  deps: ReplacePasswordNeeds,
  replacement: PasswordReplacement,
): Promise<boolean> => {
  const proposed = await proposeAccount(deps, replacement);
  if (!proposed) return false;
  const ends = await commit(deps, replacement, proposed);
  if (ends === undefined) return false;
  await endSessions(deps, replacement, ends);
  const { create, update } = deps.config.databaseHooks.account;
  await (proposed.isNew ? create : update).after?.(proposed.account);
  return true;
};
