import {
  type AccountRow,
  type Caller,
  type Event,
  type ProviderTokens,
  WireError,
} from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import type { Deps } from "../deps.ts";
import { applyCreateHook } from "../users/row-hooks.ts";
import type { Tables } from "../db/tables.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { hasEndedSessionsOf, type LockedUser, lockUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { tokenColumns } from "./account-tokens.ts";
import { insertLinkedAccount } from "../rows/accounts.ts";
import { applyClaim, type ClaimResetLink } from "./drop-accounts.ts";
import { mailLocaleOf } from "../users/email.ts";

/**
 * Returns the account to insert as the application's hook has changed it, or undefined if the hook vetoes. An account
 * without an id at the provider gets the user's id.
 */
export const proposeAccount = async (
  deps: Pick<Deps, "config" | "logger" | "newId">,
  userId: string,
  { providerId, accountId = userId }: { providerId: string; accountId?: string | undefined },
): Promise<AccountRow | undefined> => {
  const id = await deps.newId("account");
  const row = { id, userId, providerId, accountId };
  const hooks = deps.config.databaseHooks.account.create;
  const account = await applyCreateHook(deps, hooks, { model: "account", row });
  // A hook must not reassign the account: neither to another user, nor to another id at the provider.
  return account && { ...account, ...(providerId === "credential" ? { userId } : row) };
};

export type LinkAccountNeeds = ChangeUserNeeds & Pick<Deps, "logger" | "newId" | "providers">;

/** An account at a provider that is to be linked to a user. */
interface Linking {
  user: UserRow;
  providerId: string;
  /** The provider's display name. */
  providerName: string;
  accountId: string;
  tokens: ProviderTokens;
  caller: Caller;
}

/** The user's state that must still hold when the account is written. */
export type LinkGuard = Partial<Pick<LockedUser, "email" | "emailVerified" | "revision">> & {
  /** Start of the session in which the account is linked. The user must not have been claimed since then. */
  sessionCreatedAt?: Date;
};

/** Rolls back the transaction: another user has linked the account, or the user has changed. */
class Outdated extends Error {}

const holds = (guard: LinkGuard, locked: LockedUser): boolean =>
  (guard.email ?? locked.email) === locked.email &&
  (guard.emailVerified ?? locked.emailVerified) === locked.emailVerified &&
  (guard.revision ?? locked.revision) === locked.revision;

const isTakenFrom = ({ sessionCreatedAt }: LinkGuard, locked: LockedUser): boolean =>
  sessionCreatedAt !== undefined && hasEndedSessionsOf(locked, sessionCreatedAt);

/** Writes the account, its audit row and the event for the mail to the user. */
const write = async (
  deps: LinkAccountNeeds,
  trx: Transaction<Tables>,
  { linking, account, guard = {} }: { linking: Linking; account: AccountRow; guard?: LinkGuard },
): Promise<void> => {
  const { user, providerName, tokens, caller } = linking;
  const locked = await lockUser(trx, user.id);
  if (!locked || isTakenFrom(guard, locked)) throw new WireError("UNABLE_TO_LINK_ACCOUNT");
  if (!holds(guard, locked)) throw new Outdated();
  const now = new Date(deps.clock());
  const row = { ...account, ...tokenColumns(deps, tokens), createdAt: now, updatedAt: now };
  if (!(await insertLinkedAccount(trx, row))) throw new Outdated();
  await appendAudit(trx, deps, {
    actor: { kind: "user", id: user.id },
    subject: { kind: "user", id: user.id },
    action: "account.linked",
    caller,
    after: { id: account.id, providerId: account.providerId },
  });
  if (!deps.config.account.accountLinking.notifyByMail || !user.emailVerified) return;
  const { id: userId, email, name } = user;
  const language = await mailLocaleOf(trx, { userId, caller });
  const data = { userId, email, name, provider: providerName, ...language };
  await appendEvent(trx, deps, { name: "account.linked", data });
};

const finish = async (
  deps: LinkAccountNeeds,
  account: AccountRow,
  writing: () => Promise<unknown>,
): Promise<boolean> => {
  try {
    await writing();
  } catch (error) {
    if (error instanceof Outdated) return false;
    throw error;
  }
  deps.wakeRelay();
  await deps.config.databaseHooks.account.create.after?.(account);
  return true;
};

const propose = async (deps: LinkAccountNeeds, linking: Linking): Promise<AccountRow> => {
  const account = await proposeAccount(deps, linking.user.id, linking);
  if (!account) throw new WireError("UNABLE_TO_LINK_ACCOUNT");
  return account;
};

/**
 * Links an account at a provider to a user. Returns false if another user has linked it or if the guard no longer holds.
 * Throws `UNABLE_TO_LINK_ACCOUNT` if the application's hook vetoes, the user was deleted, or the user was claimed after
 * the session began.
 */
export const linkAccount = async (
  deps: LinkAccountNeeds,
  linking: Linking,
  guard: LinkGuard,
): Promise<boolean> => {
  const account = await propose(deps, linking);
  return finish(deps, account, () =>
    deps.db.transaction().execute((trx) => write(deps, trx, { linking, account, guard })),
  );
};

/**
 * Links an account to the signed-in user and marks the user's address as verified, because the provider vouches for it.
 * Also returns false if the user has changed meanwhile.
 */
export const linkAndProve = async (
  deps: LinkAccountNeeds,
  linking: Linking,
  { sessionCreatedAt, ...state }: LinkGuard & { sessionCreatedAt: Date },
): Promise<boolean> => {
  const { user, caller } = linking;
  const account = await propose(deps, linking);
  return finish(deps, account, async () => {
    const proven = await changeUser(deps, {
      user,
      change: { emailVerified: true },
      guard: { email: user.email, ...state },
      action: "user.email-verified",
      caller,
      publish: (trx) => write(deps, trx, { linking, account, guard: { sessionCreatedAt } }),
    });
    if (!proven) throw new Outdated();
  });
};

/** A user whose address is unproven, or was verified by a mailed link alone, and whose owner signs in by a provider or a mail. */
interface Claim {
  user: UserRow;
  /** The id of the account that stays, if one was the proof. */
  kept?: string;
  /** Whether the address was verified, by a provider or by a mail. */
  isVerified: boolean;
  caller: Caller;
  /** Mailed if the claim deletes a password. */
  resetLink?: ClaimResetLink | undefined;
  /** Runs in the transaction before other credentials are dropped. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

/**
 * Gives a user to the owner of its address: the password, other accounts, sessions, mailed links and API keys of before end, so that
 * a stranger who registered the address keeps no credential. Returns false if the user has changed in the meantime.
 */
export const claimUser = async (
  deps: LinkAccountNeeds,
  { user, kept, isVerified, caller, within, resetLink }: Claim,
): Promise<boolean> => {
  let claimed: Event | undefined;
  const changed = await changeUser(deps, {
    user,
    change: { emailVerified: user.emailVerified || isVerified, twoFactorEnabled: false },
    guard: {
      email: user.email,
      emailVerified: user.emailVerified,
      verifiedByLinkAlone: user.emailVerified,
    },
    action: "user.taken-over",
    caller,
    // Runs after the guard has held, so that a failed attempt leaves nothing behind.
    publish: async (trx) => {
      await within?.(trx);
      const isAddressRead = user.emailVerified || isVerified;
      const claim = { userId: user.id, kept, caller, resetLink, isAddressRead };
      claimed = await applyClaim(trx, deps, claim);
    },
  });
  if (!changed) return false;
  if (claimed) deps.urgentEvents.note(caller, claimed);
  deps.wakeRelay();
  await deps.sessions.revokeAll(user.id, undefined, {
    actor: { kind: "user", id: user.id },
    subject: { kind: "user", id: user.id },
    action: "session.revoked-all",
    caller,
  });
  return true;
};

/** Links an account to a user and claims the user with it. Returns false if the user has changed in the meantime. */
export const linkToUnproven = async (
  deps: LinkAccountNeeds,
  linking: Linking,
  { isVerifiedThere }: { isVerifiedThere: boolean },
): Promise<boolean> => {
  const { user, caller } = linking;
  const account = await propose(deps, linking);
  return finish(deps, account, async () => {
    const isClaimed = await claimUser(deps, {
      user,
      kept: account.id,
      isVerified: isVerifiedThere,
      caller,
      within: (trx) => write(deps, trx, { linking, account }),
    });
    if (!isClaimed) throw new Outdated();
  });
};
