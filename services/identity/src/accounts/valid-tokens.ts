import { type Caller, type ProviderTokens, WireError } from "@latchkey/contracts";
import { askProvider } from "../providers/ask-provider.ts";
import { canRefresh, openTalk } from "../providers/talk.ts";
import { openTokens } from "./account-tokens.ts";
import type { ProviderAccount } from "./find-provider-account.ts";
import { refreshAccount, type RefreshAccountNeeds, type Refreshed } from "./refresh-account.ts";

/** An access token that ends sooner is of no use by the time that it is used. */
const leftMillisecondsMin = 5_000;

const millisecondsLeft = ({ accessTokenExpiresAt }: ProviderTokens, now: number): number =>
  accessTokenExpiresAt === undefined ? Number.NaN : accessTokenExpiresAt.getTime() - now;

/** Whether there is an access token that is known to last. */
const lasts = (tokens: ProviderTokens, now: number): boolean =>
  tokens.accessToken !== undefined && millisecondsLeft(tokens, now) >= leftMillisecondsMin;

/** Whether there is another access token than before, and none that is known to end. */
const isNew = (tokens: ProviderTokens, before: ProviderTokens, now: number): boolean =>
  tokens.accessToken !== undefined &&
  tokens.accessToken !== before.accessToken &&
  !(millisecondsLeft(tokens, now) < leftMillisecondsMin);

/**
 * The tokens of an account, refreshed where the access token is about to end or not known to last, if they can be: what
 * cannot be refreshed is given as it is. Throws `FAILED_TO_GET_A_VALID_ACCESS_TOKEN` where the refresh fails.
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
  const talk = await askProvider(deps, told, () => openTalk(deps, provider));
  if (talk && !canRefresh(talk)) return { tokens: before };
  const refreshed =
    talk &&
    (await refreshAccount(deps, {
      provider,
      account,
      caller,
      isSuperfluous: (tokens) => isGood(tokens) || isNew(tokens, before, deps.clock()),
    }));
  if (!refreshed) throw new WireError("FAILED_TO_GET_A_VALID_ACCESS_TOKEN");
  return refreshed;
};
