import { type Caller, type SessionEffect, WireError } from "@latchkey/contracts";
import { landingPlace } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { authorizationUrl } from "../providers/authorization-url.ts";
import { scopesOf } from "../providers/scopes.ts";
import type { ProviderClient } from "../providers/provider-client.ts";
import { beginState, type SignInState } from "./sign-in-state.ts";

/** A client's request to start a flow. */
export interface FlowRequest {
  disableRedirect?: boolean | undefined;
  callbackURL?: string | undefined;
  errorCallbackURL?: string | undefined;
  newUserCallbackURL?: string | undefined;
  scopes?: readonly string[] | undefined;
  requestSignUp?: boolean | undefined;
  loginHint?: string | undefined;
  additionalParams?: Readonly<Record<string, string>> | undefined;
}

/** Proxies reject longer headers, so a longer URL is sent only in the body. */
const headerLengthMax = 8_000;

/** Returns the browser's final destinations. The fallback is the origin of the base URL. */
const landingsOf = (
  { config }: Pick<Deps, "config">,
  request: FlowRequest,
  caller: Caller,
): Pick<SignInState, "callbackURL" | "errorURL" | "newUserURL"> => {
  if (!URL.canParse(caller.baseUrl)) throw new WireError("CALLBACKURL_IS_REQUIRED");
  const placeOf = (callback: string | undefined) =>
    callback ? landingPlace(config.appURL, caller, callback) : undefined;
  return {
    callbackURL:
      landingPlace(config.appURL, caller, request.callbackURL) ?? new URL(caller.baseUrl).origin,
    errorURL: placeOf(request.errorCallbackURL),
    newUserURL: placeOf(request.newUserCallbackURL),
  };
};

/** The reply with the URL of the provider. */
interface FlowReply {
  url: string;
  redirect: boolean;
}

const hasOrigin = (place: string, { protocol, host }: URL): boolean => {
  const url = URL.parse(place);
  return url?.protocol === protocol && (host === "" || url.host === host);
};

/**
 * Returns whether a mobile app begins a sign-in whose destinations all lead back to it. Its session must not reach the
 * browser.
 */
const isOfApp = (
  { appOrigin = "" }: Caller,
  { callbackURL, newUserURL = callbackURL }: ReturnType<typeof landingsOf>,
): boolean => {
  const app = URL.parse(appOrigin);
  return app !== null && hasOrigin(callbackURL, app) && hasOrigin(newUserURL, app);
};

/**
 * Starts a sign-in or a linking. Returns the URL at the provider and the cookie with which the browser returns. With
 * `disableRedirect` there is no Location header, because the client requests only the URL.
 */
export const startFlow = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "logger" | "newId" | "ring">,
  client: ProviderClient,
  { request, caller, link }: { request: FlowRequest; caller: Caller; link?: SignInState["link"] },
): Promise<{ reply: FlowReply; effect: SessionEffect; headers?: Record<string, string> }> => {
  const { provider } = client;
  const scopes = scopesOf(client, request.scopes);
  const landings = landingsOf(deps, request, caller);
  const { loginHint, additionalParams, disableRedirect } = request;
  const { state, data, effect } = await beginState(deps, {
    providerId: provider.id,
    ...landings,
    // The URL is built again when the app's browser opens it.
    ...(!link && isOfApp(caller, landings) ? { isOfApp: true, loginHint, additionalParams } : {}),
    requestSignUp: request.requestSignUp,
    link,
    scopes,
    redirectUri: provider.options.redirectURI ?? `${caller.baseUrl}/callback/${provider.id}`,
  });
  const url = authorizationUrl(client, { ...data, state, loginHint, additionalParams });
  const redirect = !disableRedirect;
  const showsLocation = redirect && url.length <= headerLengthMax;
  return {
    reply: { url, redirect },
    effect,
    ...(showsLocation ? { headers: { location: url } } : {}),
  };
};
