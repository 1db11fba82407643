import { setTimeout as delay } from "node:timers/promises";
import { type AccountRow, type Caller, type ProviderTokens, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { askProvider } from "../providers/ask-provider.ts";
import { ProviderError } from "../providers/provider-error.ts";
import {
  openProviderClient,
  type Provider,
  type ProviderClient,
} from "../providers/provider-client.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { openTokens } from "./account-tokens.ts";
import { keepTokens, type KeepTokensNeeds } from "./keep-tokens.ts";
import { clearRefreshToken, findNamedAccount, type TokenAccount } from "./queries.ts";
import { withTokenLease } from "./with-token-lease.ts";

export type RefreshAccountNeeds = KeepTokensNeeds & Pick<Deps, "outbound">;

/** A requested refresh. */
export interface Refresh {
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
const ask = (
  deps: RefreshAccountNeeds,
  { provider, caller }: Refresh,
  { id, tried, refreshToken }: { id: string; tried: string; refreshToken: string },
): Promise<{ client: ProviderClient; given: ProviderTokens } | undefined> =>
  askProvider(deps, { providerId: provider.id, caller }, async () => {
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
  const asked = await ask(deps, refresh, { id, tried, refreshToken });
  if (!asked) return undefined;
  const { client, given } = asked;
  const kept = await keepTokens(deps, account, { tried, tokens: given, caller });
  if (!kept || given.accessToken === undefined) return undefined;
  if (kept.isWritten) await after?.(row);
  return { tokens: { ...openTokens(deps, kept), tokenType: given.tokenType }, given, client };
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
