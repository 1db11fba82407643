import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { findProviderAccount } from "./find-provider-account.ts";
import { readUserId } from "./read-user-id.ts";
import type { RefreshAccountNeeds } from "./refresh-account.ts";
import { showTokens } from "./show-tokens.ts";
import { validTokens } from "./valid-tokens.ts";

type GetAccessToken = typeof operations.identity.getAccessToken;
type GetAccessTokenOf = typeof operations.identity.getAccessTokenOf;

const answer = async (
  deps: RefreshAccountNeeds,
  { body: { providerId, accountId }, caller }: Call<GetAccessToken> | Call<GetAccessTokenOf>,
  userId: string,
): Promise<Answer<OperationReply<GetAccessToken>>> => {
  const found = await findProviderAccount(deps, { userId, providerId, accountId });
  const { tokens } = await validTokens(deps, found, caller);
  return showTokens(deps, tokens);
};

/** Returns the tokens of one of the caller's accounts, refreshed if due. */
export const getAccessToken = (
  deps: RefreshAccountNeeds,
  call: Call<GetAccessToken>,
): Promise<Answer<OperationReply<GetAccessToken>>> => answer(deps, call, call.session.user.id);

/** Returns the tokens of any user's account for an internal service, refreshed if due. */
export const getAccessTokenOf = async (
  deps: RefreshAccountNeeds,
  call: Call<GetAccessTokenOf>,
): Promise<Answer<OperationReply<GetAccessTokenOf>>> => answer(deps, call, readUserId(call.body));
