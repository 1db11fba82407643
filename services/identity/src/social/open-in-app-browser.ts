import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { authorizationUrl } from "../providers/authorization-url.ts";
import { findProviderClient, type FindProviderClientNeeds } from "./find-provider-client.ts";
import { callbackHeaders, defaultErrorUrl, errorRedirect } from "./error-redirect.ts";
import { moveToAppBrowser, readAppState } from "./sign-in-state.ts";

type OpenInAppBrowser = typeof operations.identity.openInAppBrowser;

const stateOf = (url: string): string | null => URL.parse(url)?.searchParams.get("state") ?? null;

/**
 * Redirects the browser of a mobile app to the provider and stores the state that the app received in a cookie. Builds
 * the URL again from that state and requires the sent URL to be equal, so this is no open redirect. Rejects states of web
 * pages and of linkings, whose callbacks are valid only in the browser that began them.
 */
export const openInAppBrowser = async (
  deps: FindProviderClientNeeds & Pick<Deps, "config" | "db" | "newId" | "ring">,
  { query: { authorizationURL }, caller }: Call<OpenInAppBrowser>,
): Promise<Answer<OperationReply<OpenInAppBrowser>>> => {
  const state = stateOf(authorizationURL);
  if (!state) throw new WireError("INVALID_AUTHORIZATIONURL");
  const restart = () =>
    errorRedirect(defaultErrorUrl(deps, caller), { error: "please_restart_the_process" });
  const data = await readAppState(deps, state);
  if (!data) return restart();
  const client = await findProviderClient(deps, data.providerId, caller);
  const redirect = authorizationUrl(client, { ...data, state });
  if (redirect !== authorizationURL) throw new WireError("INVALID_AUTHORIZATIONURL");
  const effect = await moveToAppBrowser(deps, state, data);
  return effect ? { redirect, headers: callbackHeaders, effect } : restart();
};
