import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { callbackHeaders, defaultErrorUrl, errorRedirect } from "./error-redirect.ts";
import { finishFlow, type FinishFlowNeeds } from "./finish-flow.ts";

type Callback = typeof operations.identity.callback;
type CallbackPost = typeof operations.identity.callbackPost;

/** Longest URL to redirect to. Proxies on the way reject longer ones. */
const onwardLengthMax = 12_000;

/** Handles the browser's return from a provider. */
export const callback = (
  deps: FinishFlowNeeds,
  { params: { id: providerId }, query: returned, caller }: Call<Callback>,
): Promise<Answer<OperationReply<Callback>>> => finishFlow(deps, { providerId, returned, caller });

/**
 * Handles a callback that the provider's page posts. A browser omits the state's cookie from a cross-site POST. A request
 * without it is therefore redirected to the same callback by GET.
 */
export const callbackPost = async (
  deps: FinishFlowNeeds,
  { params: { id: providerId }, body: returned, caller }: Call<CallbackPost>,
): Promise<Answer<OperationReply<CallbackPost>>> => {
  if (!returned)
    return errorRedirect(defaultErrorUrl(deps, caller), { error: "invalid_callback_request" });
  if (caller.signInState !== undefined || deps.config.account.skipStateCookieCheck)
    return finishFlow(deps, { providerId, returned, caller });
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(returned))
    if (value !== undefined) parameters.set(name, value);
  const redirect = `${caller.baseUrl}/callback/${encodeURIComponent(providerId)}?${parameters.toString()}`;
  return redirect.length > onwardLengthMax
    ? errorRedirect(defaultErrorUrl(deps, caller), { error: "invalid_callback_request" })
    : { redirect, headers: callbackHeaders };
};
