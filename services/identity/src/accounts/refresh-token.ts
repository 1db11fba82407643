import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { askProvider } from "../providers/ask-provider.ts";
import { canRefresh, openProviderClient } from "../providers/provider-client.ts";
import { openTokens } from "./account-tokens.ts";
import { findProviderAccount } from "./find-provider-account.ts";
import { readUserId } from "./read-user-id.ts";
import { refreshAccount, type RefreshAccountNeeds } from "./refresh-account.ts";
import { showTokens } from "./show-tokens.ts";

type RefreshToken = typeof operations.identity.refreshToken;
type RefreshTokenOf = typeof operations.identity.refreshTokenOf;

const answer = async (
  deps: RefreshAccountNeeds,
  { body: { providerId, accountId }, caller }: Call<RefreshToken> | Call<RefreshTokenOf>,
  userId: string,
): Promise<Answer<OperationReply<RefreshToken>>> => {
  const { provider, account } = await findProviderAccount(deps, { userId, providerId, accountId });
  const told = { providerId, caller };
  const client = await askProvider(deps, told, () => openProviderClient(deps, provider));
  const message = `Provider ${providerId} does not support token refreshing.`;
  if (client && !canRefresh(client))
    throw new WireError("PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING", { message });
  const mayRefresh = client && openTokens(deps, account).refreshToken !== undefined;
  const isSuperfluous = () => false;
  const refreshed =
    mayRefresh && (await refreshAccount(deps, { provider, account, caller, isSuperfluous }));
  if (!refreshed || !refreshed.given) throw new WireError("FAILED_TO_REFRESH_ACCESS_TOKEN");
  return showTokens(deps, refreshed.given);
};

/** Refreshes the tokens of one of the caller's accounts, due or not, and returns the provider's new tokens. */
export const refreshToken = (
  deps: RefreshAccountNeeds,
  call: Call<RefreshToken>,
): Promise<Answer<OperationReply<RefreshToken>>> => answer(deps, call, call.session.user.id);

/** Refreshes the tokens of any user's account for an internal service. */
export const refreshTokenOf = async (
  deps: RefreshAccountNeeds,
  call: Call<RefreshTokenOf>,
): Promise<Answer<OperationReply<RefreshTokenOf>>> => answer(deps, call, readUserId(call.body));
