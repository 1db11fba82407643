import { WireError } from "@latchkey/contracts";
import type { Deps, Handler } from "../deps.ts";
import { authorizationUrl } from "../providers/authorization-url.ts";
import { findProviderClient } from "./find-provider-client.ts";
import { callbackHeaders, defaultErrorUrl, errorRedirect } from "./error-redirect.ts";
import { moveToAppBrowser, readAppState } from "./sign-in-state.ts";
import { finishOrForward, onwardLengthMax, ownState } from "./oauth-proxy.ts";

const stateOf = (url: string): string | null => URL.parse(url)?.searchParams.get("state") ?? null;

/**
 * Redirects the browser of a mobile app to the provider and stores the state that the app received in a cookie. Builds
 * the URL again from that state and requires the sent URL to be equal, so this is no open redirect. Rejects states of web
 * pages and of linkings, whose callbacks are valid only in the browser that began them.
 */
export const openInAppBrowser: Handler<"openInAppBrowser"> = async (
  deps,
  { query: { authorizationURL }, caller },
) => {
  const sent = stateOf(authorizationURL);
  if (!sent) throw new WireError("INVALID_AUTHORIZATIONURL");
  const restart = () =>
    errorRedirect(defaultErrorUrl(deps, caller), { error: "please_restart_the_process" });
  const state = ownState(deps, sent);
  const data = await readAppState(deps, state);
  if (!data) return restart();
  const client = await findProviderClient(deps, data.providerId, caller);
  const redirect = authorizationUrl(client, { ...data, state: sent });
  if (redirect !== authorizationURL) throw new WireError("INVALID_AUTHORIZATIONURL");
  const effect = await moveToAppBrowser(deps, state, data);
  return effect ? { redirect, headers: callbackHeaders, effect } : restart();
};

/** Handles the browser's return from a provider. */
export const callback: Handler<"callback"> = (
  deps,
  { params: { id: providerId }, query: returned, caller },
) => finishOrForward(deps, { providerId, returned, caller });

/** Returns whether a callback reads a cookie of its browser. */
const readsCookies = ({ config: { account, session } }: Pick<Deps, "config">): boolean =>
  !account.skipStateCookieCheck || session.mailNewBrowsers;

/**
 * Handles a callback that the provider's page posts. A browser omits our cookies from a cross-site POST. A request without them is
 * therefore redirected to the same callback by GET.
 */
export const callbackPost: Handler<"callbackPost"> = async (
  deps,
  { params: { id: providerId }, body: returned, caller },
) => {
  if (!returned)
    return errorRedirect(defaultErrorUrl(deps, caller), { error: "invalid_callback_request" });
  if (caller.signInState !== undefined || !readsCookies(deps))
    return finishOrForward(deps, { providerId, returned, caller });
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(returned))
    if (value !== undefined) parameters.set(name, value);
  const redirect = `${caller.baseUrl}/callback/${encodeURIComponent(providerId)}?${parameters.toString()}`;
  return redirect.length > onwardLengthMax
    ? errorRedirect(defaultErrorUrl(deps, caller), { error: "invalid_callback_request" })
    : { redirect, headers: callbackHeaders };
};
