import { type Caller, type ProviderTokens, WireError } from "@latchkey/contracts";
import { askProvider } from "../providers/ask-provider.ts";
import { canRefresh, openProviderClient } from "../providers/provider-client.ts";
import { openTokens } from "./account-tokens.ts";
import type { ProviderAccount } from "./find-provider-account.ts";
import { refreshAccount, type RefreshAccountNeeds, type Refreshed } from "./refresh-account.ts";

/** An access token that expires sooner may be expired by the time it is used. */
const leftMillisecondsMin = 5_000;

const millisecondsLeft = ({ accessTokenExpiresAt }: ProviderTokens, now: number): number =>
  accessTokenExpiresAt === undefined ? Number.NaN : accessTokenExpiresAt.getTime() - now;

/** Returns whether there is an access token with a known expiry that is far enough away. */
const lasts = (tokens: ProviderTokens, now: number): boolean =>
  tokens.accessToken !== undefined && millisecondsLeft(tokens, now) >= leftMillisecondsMin;

/** Returns whether the access token differs from the earlier one and is not known to be about to expire. */
const isNew = (tokens: ProviderTokens, before: ProviderTokens, now: number): boolean =>
  tokens.accessToken !== undefined &&
  tokens.accessToken !== before.accessToken &&
  !(millisecondsLeft(tokens, now) < leftMillisecondsMin);

/**
 * Returns the tokens of an account. Refreshes them if the access token is about to expire or its expiry is unknown.
 * Tokens that cannot be refreshed are returned unchanged. Throws `FAILED_TO_GET_A_VALID_ACCESS_TOKEN` if the refresh
 * fails.
 */
export const validTokens = async (
  deps: RefreshAccountNeeds,
  { provider, account }: ProviderAccount,
  caller: Caller,
): Promise<Refreshed> => {
  const before = openTokens(deps, account);
  const isGood = (tokens: ProviderTokens) =>
    tokens.refreshToken === undefined || lasts(tokens, deps.clock());
  if (isGood(before)) return { tokens: before };
  const told = { providerId: provider.id, caller };
  const client = await askProvider(deps, told, () => openProviderClient(deps, provider));
  if (client && !canRefresh(client)) return { tokens: before };
  const refreshed =
    client &&
    (await refreshAccount(deps, {
      provider,
      account,
      caller,
      isSuperfluous: (tokens) => isGood(tokens) || isNew(tokens, before, deps.clock()),
    }));
  if (!refreshed) throw new WireError("FAILED_TO_GET_A_VALID_ACCESS_TOKEN");
  return refreshed;
};
