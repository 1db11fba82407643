import {
  isExempt,
  type MailMethod,
  mailMethods,
  signInMethods,
  type EventData,
  operations,
  WireError,
} from "@latchkey/contracts";
import type { Kysely } from "kysely";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvents } from "@latchkey/service-kit/events";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import { countPasskeys } from "../rows/passkeys.ts";
import { passableMethods } from "../second-factor/offered-methods.ts";
import { isPlaceholderEmail } from "../users/email.ts";
import { type LockedUser, lockUser } from "../users/queries.ts";
import {
  countAccounts,
  type AccountEntry,
  listAccountRows,
  deleteNamedAccount,
  findClientsAccount,
  deleteProviderAccount,
} from "../rows/accounts.ts";
import { scopesOfAccount, openTokens, type RestingTokens } from "./account-tokens.ts";
import { endAccess } from "../access/end-access.ts";
import { adminActor, checkReach, holdsPower, recheckReach } from "../users/admin-rights.ts";
import { findUser } from "../users/find-users.ts";

type CountWaysInNeeds = Pick<Deps, "clock" | "config">;

type Counted = Pick<
  LockedUser,
  "email" | "emailVerified" | "phoneNumber" | "phoneNumberVerified" | "role" | "twoFactorEnabled"
> & { id: string };

/** Returns whether a sign-in by this method can be completed. A mailed code is no second factor after it. */
const canPassAfter = async (
  deps: CountWaysInNeeds,
  db: Kysely<Tables>,
  {
    user: { id: userId, twoFactorEnabled },
    method,
  }: { user: Counted; method: MailMethod | "sms-otp" },
): Promise<boolean> => {
  const { config } = deps;
  if (!config.twoFactor.enabled || !twoFactorEnabled || isExempt(config.twoFactor, method))
    return true;
  return (await passableMethods({ ...deps, db }, { userId, shown: [method] })) !== undefined;
};

/** Links and codes by mail are one way in, for a user who has proven the address and can pass the second factor after them. */
const isMailWayIn = async (
  deps: CountWaysInNeeds,
  db: Kysely<Tables>,
  user: Counted,
): Promise<boolean> => {
  if (!user.emailVerified || isPlaceholderEmail(user.email)) return false;
  const offered = mailMethods.filter((name) => deps.config[signInMethods[name].option].enabled);
  for (const method of offered) if (await canPassAfter(deps, db, { user, method })) return true;
  return false;
};

/** Codes by text message are a way in to a proven number. */
const isPhoneWayIn = async (
  deps: CountWaysInNeeds,
  db: Kysely<Tables>,
  user: Counted,
): Promise<boolean> =>
  deps.config.phoneNumber.enabled &&
  user.phoneNumber !== null &&
  user.phoneNumberVerified &&
  !holdsPower(deps, user) &&
  (await canPassAfter(deps, db, { user, method: "sms-otp" }));

/**
 * Returns how many ways to sign in a user has: accounts, passkeys if they are on, the mailbox and the phone. The user must be locked, so that two
 * concurrent removals do not both see the other's.
 */
export const countWaysIn = async (
  deps: CountWaysInNeeds,
  trx: Kysely<Tables>,
  user: Counted,
): Promise<number> => {
  const accounts = await countAccounts(trx, user.id);
  const passkeys = deps.config.passkey.relyingParty ? await countPasskeys(trx, user.id) : 0;
  const messages = [await isMailWayIn(deps, trx, user), await isPhoneWayIn(deps, trx, user)];
  return accounts + passkeys + messages.filter(Boolean).length;
};

/** An account as shown to clients: without passwords and tokens. */
type ShownAccount = Omit<AccountEntry, "compromised" | "scope"> & {
  scopes: string[];
  compromised?: true;
};

/** Returns a user's accounts, oldest first. */
export const showAccounts = async (
  { config, db }: Pick<Deps, "config" | "db">,
  userId: string,
): Promise<ShownAccount[]> => {
  const { defaultFindManyLimit: limit } = config.database;
  const accounts = await listAccountRows(db, { userId, limit });
  return accounts.map(({ scope, compromised, ...account }) =>
    Object.assign(account, {
      scopes: scopesOfAccount(scope),
      ...(compromised && { compromised: true as const }),
    }),
  );
};

/** Returns the caller's accounts, oldest first, without passwords and tokens. */
export const listAccounts: Handler<"listAccounts"> = async (deps, { session: { user } }) => {
  const accounts = await showAccounts(deps, user.id);
  return {
    reply: accounts.map((account) => Object.assign(account, { provider: account.providerId })),
  };
};

export type AppendUnlinkedNeeds = Pick<
  Deps,
  "clock" | "config" | "newEventId" | "providers" | "ring"
>;

/** An account that was deleted. */
type UnlinkedAccount = RestingTokens & {
  userId: string;
  providerId: string;
  accountId: string;
};

const unlinked = (
  deps: AppendUnlinkedNeeds,
  { userId, providerId, accountId, ...resting }: UnlinkedAccount,
): EventData<"account.unlinked">[] => {
  const { refreshToken, accessToken } = openTokens(deps, resting);
  const token = refreshToken ?? accessToken;
  if (token === undefined || !deps.providers.has(providerId)) return [];
  const kind = refreshToken === undefined ? "access_token" : "refresh_token";
  return [{ userId, providerId, accountId, token, kind }];
};

/**
 * Publishes an event for each deleted account, so that its provider revokes the longest-lived token. Skips accounts
 * without a stored token and accounts whose provider is no longer configured.
 */
export const appendUnlinked = async (
  trx: Kysely<Tables>,
  deps: AppendUnlinkedNeeds,
  accounts: readonly UnlinkedAccount[],
): Promise<void> => {
  await appendEvents(trx, deps, {
    name: "account.unlinked",
    data: accounts.flatMap((account) => unlinked(deps, account)),
  });
};

/**
 * Unlinks one of the caller's accounts and publishes an event to revoke its grant. Refuses if the caller has only one and no other way
 * to sign in, whichever was named.
 */
export const unlinkAccount: Handler<"unlinkAccount"> = async (
  deps,
  { body, caller, session: current },
) => {
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
    const named = await findClientsAccount(trx, { userId, providerId, accountId });
    const unlinked = named && (await deleteNamedAccount(trx, { userId, accountId: named.id }));
    if (!unlinked) throw new WireError("ACCOUNT_NOT_FOUND");
    await endAccess(trx, deps, { userId, fact: "account.unlinked" });
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: userId },
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

const { permission } = operations.identity.adminUnlinkAccount;

/**
 * Unlinks an account at a provider, such as one that an attacker has added, and publishes an event to revoke its grant. It may be the last
 * way in: the admin can mail a link to choose a password.
 */
export const adminUnlinkAccount: Handler<"adminUnlinkAccount"> = async (deps, call) => {
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
    await endAccess(trx, deps, { userId, fact: "account.unlinked" });
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
