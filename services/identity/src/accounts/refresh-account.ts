import { setTimeout as delay } from "node:timers/promises";
import { type AccountRow, type Caller, type ProviderTokens, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { askProvider } from "../providers/ask-provider.ts";
import { ProviderError } from "../providers/provider-error.ts";
import { openTalk, type Provider, type Talk } from "../providers/talk.ts";
import { refreshTokens } from "../providers/token-endpoint.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { openTokens } from "./account-tokens.ts";
import { keepTokens, type KeepTokensNeeds } from "./keep-tokens.ts";
import { clearRefreshToken, findNamedAccount, type TokenAccount } from "./queries.ts";
import { withTokenLease } from "./with-token-lease.ts";

/** What it works with. */
export type RefreshAccountNeeds = KeepTokensNeeds & Pick<Deps, "outbound">;

/** A refresh that is asked for. */
export interface Refresh {
  provider: Provider;
  account: TokenAccount;
  caller: Caller;
  /** Whether the tokens of the account, looked at again, make it superfluous. */
  isSuperfluous: (tokens: ProviderTokens) => boolean;
}

/** What came of a refresh. */
export interface Refreshed {
  /** All that is known of the account's tokens. */
  tokens: ProviderTokens;
  /** What the provider has just given; undefined where the refresh was superfluous. */
  given?: ProviderTokens;
  /** The talk in which it did. */
  talk?: Talk;
}

/** Who waits for another's refresh gives up after four seconds, so that its own still ends within its client's patience. */
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

/** Asks the provider; a refresh token that it refuses for good is forgotten. */
const ask = (
  deps: RefreshAccountNeeds,
  { provider, caller }: Refresh,
  { id, tried, refreshToken }: { id: string; tried: string; refreshToken: string },
): Promise<{ talk: Talk; given: ProviderTokens } | undefined> =>
  askProvider(deps, { providerId: provider.id, caller }, async () => {
    const talk = await openTalk(deps, provider);
    try {
      return { talk, given: (await refreshTokens(talk, refreshToken)).tokens };
    } catch (error) {
      const isRefused = error instanceof ProviderError && error.error === "invalid_grant";
      const now = new Date(deps.clock());
      if (isRefused) await clearRefreshToken(deps.db, { id, tried, now });
      throw error;
    }
  });

/** Refreshes while nobody else does. An application's hook may veto, before the provider is asked. */
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
  const { talk, given } = asked;
  const kept = await keepTokens(deps, account, { tried, tokens: given, caller });
  if (!kept || given.accessToken === undefined) return undefined;
  if (kept.isWritten) await after?.(row);
  return { tokens: { ...openTokens(deps, kept), tokenType: given.tokenType }, given, talk };
};

/**
 * Refreshes the tokens of an account: of many at once one after the other, over all processes, each with the refresh
 * token that the one before was given. Undefined where the provider refuses or does not answer, where there is no
 * refresh token, and where the others take too long; the log is told. Throws `ACCOUNT_NOT_FOUND` when the account is gone.
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
