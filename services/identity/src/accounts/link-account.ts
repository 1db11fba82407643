import { type AccountRow, type Caller, type ProviderTokens, WireError } from "@latchkey/contracts";
import { appendAudit, appendEvent } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { lockUser } from "../users/lock-user.ts";
import type { LockedUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { tokenColumns } from "./account-tokens.ts";
import { proposeAccount } from "./propose-account.ts";
import { insertLinkedAccount } from "./queries.ts";
import { takeOver } from "./take-over.ts";

/** What it works with. */
export type LinkAccountNeeds = ChangeUserNeeds & Pick<Deps, "logger" | "newId" | "providers">;

/** An account at a provider that is to become a user's. */
export interface Linking {
  user: UserRow;
  providerId: string;
  /** As people know the provider. */
  providerName: string;
  accountId: string;
  tokens: ProviderTokens;
  caller: Caller;
}

/** What must still hold of the user when the account is written. */
export type LinkGuard = Partial<Omit<LockedUser, "sessionsEndedAt">> & {
  /** When the session began that it is linked in: the user must not have been taken from whoever is in it. */
  sessionCreatedAt?: Date;
};

/** Thrown inside a transaction to have it undone: somebody has the account by now, or the user has changed. */
class Outdated extends Error {}

const holds = (guard: LinkGuard, locked: LockedUser): boolean =>
  (guard.email ?? locked.email) === locked.email &&
  (guard.emailVerified ?? locked.emailVerified) === locked.emailVerified &&
  (guard.revision ?? locked.revision) === locked.revision;

const isTakenFrom = ({ sessionCreatedAt }: LinkGuard, { sessionsEndedAt }: LockedUser): boolean =>
  sessionCreatedAt !== undefined &&
  sessionsEndedAt !== null &&
  sessionCreatedAt.getTime() <= sessionsEndedAt.getTime();

/** Writes the account with its audit, and the event that tells the user by mail. */
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
    after: { id: account.id, providerId: account.providerId, accountId: account.accountId },
  });
  if (!deps.config.account.accountLinking.notifyByMail || !user.emailVerified) return;
  const { id: userId, email, name } = user;
  const data = { userId, email, name, provider: providerName };
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
 * Links an account at a provider to a user. False when it is somebody's by now, or the guard holds no more; throws
 * `UNABLE_TO_LINK_ACCOUNT` when the application's hook vetoes, and when the user is gone or taken from who links.
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
 * The same for a user who never proved their address, by somebody who has: whoever registered it keeps no way in. Their
 * password, accounts, sessions and mailed links end with the linking. False also when the user has changed meanwhile.
 */
export const linkToUnproven = async (
  deps: LinkAccountNeeds,
  linking: Linking,
  { isVerifiedThere }: { isVerifiedThere: boolean },
): Promise<boolean> => {
  const { user, caller } = linking;
  const account = await propose(deps, linking);
  const isLinked = await finish(deps, account, async () => {
    const changed = await changeUser(deps, {
      user,
      change: { emailVerified: isVerifiedThere },
      guard: { email: user.email, emailVerified: false },
      action: "user.taken-over",
      caller,
      // Once the guard has held, so that nothing is left of an attempt for which it does not.
      publish: async (trx) => {
        await write(deps, trx, { linking, account });
        await takeOver(trx, deps, { userId: user.id, kept: account.id, caller });
      },
    });
    if (!changed) throw new Outdated();
  });
  if (isLinked)
    await deps.sessions.revokeAll(user.id, undefined, {
      actor: { kind: "user", id: user.id },
      subject: { kind: "user", id: user.id },
      action: "session.revoked-all",
      caller,
    });
  return isLinked;
};
