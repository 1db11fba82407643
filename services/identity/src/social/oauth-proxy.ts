import type { Caller } from "@latchkey/contracts";
import { createSecretRing, seal, unseal } from "@latchkey/crypto";
import { setQuery } from "@latchkey/service-kit/http";
import type { AnswerOf, Deps, Handler } from "../deps.ts";
import type { ProviderClient } from "../providers/provider-client.ts";
import { callbackHeaders, defaultErrorUrl, errorRedirect } from "./error-redirect.ts";
import { finishFlow, type Returned } from "./finish-flow.ts";

// A preview starts a sign-in with the callback address of production. Production forwards the response of the provider, and reads
// nothing in it: the preview has the code verifier, the state and the cookie of the browser, without which the response is useless.

type Needs = Pick<Deps, "clock" | "config" | "logger">;

/** A sign-in at a provider that a preview has started. */
interface ProxyState {
  /** The base URL of the preview. */
  preview: string;
  providerId: string;
  /** The state in the preview. */
  state: string;
  /** In milliseconds since the epoch. */
  expiresAt: number;
}

/** The response of a provider to it. */
interface ForwardedResponse extends ProxyState {
  returned: Returned;
}

interface Contents {
  "oauth proxy state": ProxyState;
  "oauth proxy response": ForwardedResponse;
}

const ringOf = ({ config: { oauthProxy } }: Pick<Needs, "config">) =>
  createSecretRing([oauthProxy.secret ?? ""]); // required with `enabled`

const sealContent = <Purpose extends keyof Contents>(
  deps: Pick<Needs, "config">,
  purpose: Purpose,
  content: Contents[Purpose],
): string => seal(ringOf(deps), purpose, JSON.stringify(content));

const openContent = <Purpose extends keyof Contents>(
  deps: Pick<Needs, "config">,
  purpose: Purpose,
  sealed: string,
): Contents[Purpose] | undefined => {
  const content = deps.config.oauthProxy.enabled
    ? unseal(ringOf(deps), purpose, sealed)
    : undefined;
  return content === undefined ? undefined : (JSON.parse(content) as Contents[Purpose]); // sealed by us
};

const isPreview = ({ config: { oauthProxy } }: Pick<Needs, "config">): boolean =>
  oauthProxy.enabled && oauthProxy.productionURL !== undefined;

/** Returns the callback address at which a provider returns a browser. In a preview it is that of production. */
export const callbackAddress = (
  { config }: Pick<Needs, "config">,
  { provider }: Pick<ProviderClient, "provider">,
  { baseUrl }: Pick<Caller, "baseUrl">,
): string => {
  const { productionURL = baseUrl } = config.oauthProxy;
  const base = isPreview({ config }) ? productionURL.replace(/\/$/, "") : baseUrl;
  return provider.options.redirectURI ?? `${base}/callback/${provider.id}`;
};

/** Returns the state that a provider gets. That of a preview tells production where its browser belongs. */
export const stateForProvider = (
  deps: Pick<Needs, "config">,
  { provider }: Pick<ProviderClient, "provider">,
  sent: Omit<ProxyState, "providerId">,
): string =>
  isPreview(deps) && provider.options.redirectURI === undefined
    ? sealContent(deps, "oauth proxy state", { ...sent, providerId: provider.id })
    : sent.state;

/** Returns the state in this installation of one that a provider got. */
export const ownState = (deps: Pick<Needs, "config">, sent: string): string =>
  isPreview(deps) ? (openContent(deps, "oauth proxy state", sent)?.state ?? sent) : sent;

/** The response can be used for this time. It is longer than a redirect takes. */
const forwardedSeconds = 60;

/** Longest URL to redirect to. Proxies on the way reject longer ones. */
export const onwardLengthMax = 12_000;

/**
 * Redirects a browser to the preview that started its sign-in, with the sealed response of the provider. Returns undefined for a sign-in
 * that started here. The gateway refuses the redirect unless the options name the origin of the preview.
 */
const forward = (
  deps: Needs,
  { providerId, returned, caller }: { providerId: string; returned: Returned; caller: Caller },
): ReturnType<typeof errorRedirect> | undefined => {
  const { previewOrigins } = deps.config.oauthProxy;
  const { state: sent, ...response } = returned;
  if (previewOrigins.length === 0 || sent === undefined) return undefined;
  const begun = openContent(deps, "oauth proxy state", sent);
  if (!begun) return undefined;
  const { preview, state } = begun;
  const refuse = (error: string) => errorRedirect(defaultErrorUrl(deps, caller), { error });
  const now = deps.clock();
  if (begun.providerId !== providerId || begun.expiresAt <= now)
    return refuse("please_restart_the_process");
  const expiresAt = now + forwardedSeconds * 1000;
  const profile = sealContent(deps, "oauth proxy response", {
    ...begun,
    expiresAt,
    returned: response,
  });
  const redirect = setQuery(`${preview}/callback/${providerId}/oauth-proxy`, { state, profile });
  if (redirect.length > onwardLengthMax) return refuse("invalid_callback_request");
  const { requestId } = caller;
  deps.logger.info({ requestId, providerId, preview }, "forwarded a sign-in to its preview");
  return { redirect, headers: callbackHeaders, effect: undefined };
};

/** Forwards the response of a provider to the preview that waits for it, or completes the flow that started here. */
export const finishOrForward = async (
  deps: Parameters<typeof finishFlow>[0] & Needs,
  flow: Parameters<typeof finishFlow>[1],
) => forward(deps, flow) ?? finishFlow(deps, flow);

/** Completes the flow of a preview by the response that production has forwarded. */
const finishForwarded = async (
  deps: Deps,
  {
    profile,
    providerId,
    caller,
  }: { profile: string | undefined; providerId?: string; caller: Caller },
): Promise<AnswerOf<"oauthProxyCompletion">> => {
  const refuse = (error: string) => errorRedirect(defaultErrorUrl(deps, caller), { error });
  if (!profile) return refuse("missing_profile");
  const response = openContent(deps, "oauth proxy response", profile);
  if (!response || response.preview !== caller.baseUrl) return refuse("invalid_profile");
  if (response.expiresAt <= deps.clock()) return refuse("payload_expired");
  if (providerId !== undefined && providerId !== response.providerId)
    return refuse("provider_mismatch");
  const returned = { ...response.returned, state: response.state };
  return finishFlow(deps, { providerId: response.providerId, returned, caller });
};

export const oauthProxyCompletion: Handler<"oauthProxyCompletion"> = (
  deps,
  { params: { id: providerId }, query: { profile }, caller },
) => finishForwarded(deps, { profile, providerId, caller });

export const oauthProxyCallback: Handler<"oauthProxyCallback"> = (
  deps,
  { query: { profile }, caller },
) => finishForwarded(deps, { profile, caller });
