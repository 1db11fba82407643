import { setTimeout as delay } from "node:timers/promises";
import { type Caller, type ProviderTokens, WireError, type AccountRow } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { isMissingReference } from "@latchkey/service-kit/database";
import type { Deps } from "../deps.ts";
import { type RestingTokens, tokenColumns, openTokens } from "./account-tokens.ts";
import { appendUnlinked, type AppendUnlinkedNeeds } from "./own-accounts.ts";
import {
  findNamedAccount,
  type TokenAccount,
  updateRefreshedTokens,
  deleteTokenRefresh,
  takeTokenRefresh,
  clearRefreshToken,
} from "../rows/accounts.ts";
import { callProvider } from "../providers/call-provider.ts";
import {
  ProviderError,
  openProviderClient,
  type Provider,
  type ProviderClient,
} from "../providers/provider-client.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";

type StoreTokensNeeds = AppendUnlinkedNeeds & Pick<Deps, "db" | "logger" | "wakeRelay">;

const writesMax = 3;
const writePauseMilliseconds = 200;

/** Retries a write of values that cannot be obtained again. Rejects with the last error. */
const persist = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; attempt < writesMax; attempt += 1)
    try {
      return await write();
    } catch {
      await delay(writePauseMilliseconds);
    }
  return write();
};

/**
 * Stores the tokens that a provider returned for the refresh token of `account`. Many providers accept a refresh token
 * only once, so these tokens must not get lost. Keeps the tokens of a concurrent sign-in instead, if there was one. If
 * the account was unlinked meanwhile, publishes an event to revoke the new tokens.
 *
 * Returns the account with these tokens in stored form. Returns undefined if the account was deleted, or if the write
 * failed, which is logged.
 */
const storeTokens = async (
  deps: StoreTokensNeeds,
  account: TokenAccount,
  { tried, tokens, caller }: { tried: string; tokens: ProviderTokens; caller: Caller },
): Promise<(RestingTokens & { isWritten: boolean }) | undefined> => {
  const { db, logger } = deps;
  const { id, userId, providerId } = account;
  // A refresh may report fewer scopes than a concurrent sign-in has added, so the stored scopes stay.
  const { scope: _, ...secrets } = tokenColumns(deps, tokens);
  const refreshed = { ...account, ...secrets };
  const now = new Date(deps.clock());
  try {
    return await persist(async () => {
      const isWritten = await updateRefreshedTokens(db, { id, tried, secrets, now });
      if (isWritten || (await findNamedAccount(db, { userId, accountId: id })))
        return { ...refreshed, isWritten };
      await appendUnlinked(db, deps, [refreshed]);
      deps.wakeRelay();
      return undefined;
    });
  } catch (error) {
    const { requestId } = caller;
    logger.error(
      { err: error, provider: providerId, requestId },
      "failed to store refreshed tokens",
    );
    return undefined;
  }
};

type Needs = Pick<Deps, "clock" | "db" | "logger">;

/** Longer than the deadline of a provider client. A holder that still has its lease after that has died. */
const leaseMilliseconds = 15_000;

const take = async ({ clock, db }: Needs, lease: { accountId: string; holder: string }) => {
  const now = clock();
  const times = { now: new Date(now), expiresAt: new Date(now + leaseMilliseconds) };
  try {
    return await takeTokenRefresh(db, { ...lease, ...times });
  } catch (error) {
    if (isMissingReference(error)) throw new WireError("ACCOUNT_NOT_FOUND");
    throw error;
  }
};

/**
 * Runs `act` while holding the lease on the account's tokens, across all processes. Returns undefined while another
 * holder has it. A holder that was blocked beyond its lease is no longer exclusive, so its writes need their own guard.
 * Throws `ACCOUNT_NOT_FOUND` if the account was deleted.
 */
export const withTokenLease = async <T>(
  deps: Needs,
  accountId: string,
  act: () => Promise<T>,
): Promise<{ outcome: T } | undefined> => {
  const lease = { accountId, holder: randomToken(32, "alphanumeric") };
  if (!(await take(deps, lease))) return undefined;
  try {
    return { outcome: await act() };
  } finally {
    await deleteTokenRefresh(deps.db, lease).catch((error: unknown) =>
      deps.logger.warn(
        { err: error, accountId },
        "failed to release the lease of an account, it will expire",
      ),
    );
  }
};

export type RefreshAccountNeeds = StoreTokensNeeds & Pick<Deps, "outbound">;

/** A requested refresh. */
interface Refresh {
  provider: Provider;
  account: TokenAccount;
  caller: Caller;
  /** Returns whether the account's tokens, read again under the lease, make the refresh superfluous. */
  isSuperfluous: (tokens: ProviderTokens) => boolean;
}

/** The outcome of a refresh. */
export interface Refreshed {
  /** All known tokens of the account. */
  tokens: ProviderTokens;
  /** The provider's new tokens. Undefined if the refresh was superfluous. */
  given?: ProviderTokens;
  /** The provider client that made the refresh. */
  client?: ProviderClient;
}

/** A caller waits at most four seconds for another refresh, so that its own still ends before its client's timeout. */
const attemptsMax = 40;
const pauseMilliseconds = 100;

const rowOf = ({ id, userId, providerId, accountId }: TokenAccount): AccountRow => ({
  id,
  userId,
  providerId,
  accountId,
});

interface Looked {
  account: TokenAccount;
  tokens: ProviderTokens;
}

const look = async (
  deps: RefreshAccountNeeds,
  { account: { id, userId } }: Refresh,
): Promise<Looked> => {
  const account = await findNamedAccount(deps.db, { userId, accountId: id });
  if (!account) throw new WireError("ACCOUNT_NOT_FOUND");
  return { account, tokens: openTokens(deps, account) };
};

/** Sends the refresh request. Clears a refresh token that the provider refuses permanently. */
const requestTokens = (
  deps: RefreshAccountNeeds,
  { provider, caller }: Refresh,
  { id, tried, refreshToken }: { id: string; tried: string; refreshToken: string },
): Promise<{ client: ProviderClient; given: ProviderTokens } | undefined> =>
  callProvider(deps, { providerId: provider.id, caller }, async () => {
    const client = await openProviderClient(deps, provider);
    const { refreshTokens } = await import("../providers/token-endpoint.ts");
    try {
      return { client, given: (await refreshTokens(client, refreshToken)).tokens };
    } catch (error) {
      const isRefused = error instanceof ProviderError && error.error === "invalid_grant";
      const now = new Date(deps.clock());
      if (isRefused) await clearRefreshToken(deps.db, { id, tried, now });
      throw error;
    }
  });

/** Refreshes while holding the lease. An application's hook may veto before the provider is called. */
const renew = async (
  deps: RefreshAccountNeeds,
  refresh: Refresh,
  { account, tokens: { refreshToken } }: Looked,
): Promise<Refreshed | undefined> => {
  const { caller } = refresh;
  const { id, refreshToken: tried } = account;
  if (refreshToken === undefined || tried === null) return undefined;
  const { before, after } = deps.config.databaseHooks.account.update;
  const row = rowOf(account);
  if (!(await applyBeforeHook({ before }, row))) return undefined;
  const response = await requestTokens(deps, refresh, { id, tried, refreshToken });
  if (!response) return undefined;
  const { client, given: refreshedTokens } = response;
  const stored = await storeTokens(deps, account, { tried, tokens: refreshedTokens, caller });
  if (!stored || refreshedTokens.accessToken === undefined) return undefined;
  if (stored.isWritten) await after?.(row);
  return {
    tokens: { ...openTokens(deps, stored), tokenType: refreshedTokens.tokenType },
    given: refreshedTokens,
    client,
  };
};

/**
 * Refreshes the tokens of an account. Concurrent refreshes run one after the other, across all processes, each with the
 * refresh token that the previous one received.
 *
 * Returns undefined if the provider refuses or does not respond, if there is no refresh token, or if other refreshes take
 * too long. Each of these is logged. Throws `ACCOUNT_NOT_FOUND` if the account was deleted.
 */
export const refreshAccount = async (
  deps: RefreshAccountNeeds,
  refresh: Refresh,
): Promise<Refreshed | undefined> => {
  const { provider, account, caller, isSuperfluous } = refresh;
  const alone = async () => {
    const looked = await look(deps, refresh);
    const { tokens } = looked;
    return isSuperfluous(tokens) ? { tokens } : renew(deps, refresh, looked);
  };
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const turn = await withTokenLease(deps, account.id, alone);
    if (turn) return turn.outcome;
    await delay(pauseMilliseconds);
    const { tokens } = await look(deps, refresh);
    if (isSuperfluous(tokens)) return { tokens };
  }
  const { requestId } = caller;
  deps.logger.warn({ provider: provider.id, requestId }, "another refresh takes too long");
  return undefined;
};
