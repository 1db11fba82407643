import { type Caller, type SessionEffect, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { authorizationUrl } from "../providers/authorization-url.ts";
import { scopesOf } from "../providers/scopes.ts";
import type { Talk } from "../providers/talk.ts";
import { beginState, type SignInState } from "./sign-in-state.ts";

/** What a client sends to begin with a provider. */
export interface FlowRequest {
  callbackURL?: string | undefined;
  errorCallbackURL?: string | undefined;
  newUserCallbackURL?: string | undefined;
  scopes?: readonly string[] | undefined;
  requestSignUp?: boolean | undefined;
  loginHint?: string | undefined;
  additionalParams?: Readonly<Record<string, string>> | undefined;
}

/** Longest URL that is told in a header besides; a longer one passes no door on the way. */
const headerLengthMax = 8_000;

/** Where to go in the end: as asked for, or the origin of the base URL, whose path is no page. */
const callbackUrlOf = ({ callbackURL }: FlowRequest, { baseUrl }: Caller): string => {
  if (callbackURL) return callbackURL;
  if (!URL.canParse(baseUrl)) throw new WireError("CALLBACKURL_IS_REQUIRED");
  return new URL(baseUrl).origin;
};

/** Begins a sign-in or a linking: the URL to go to, and what the browser keeps until it is back. */
export const startFlow = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "logger" | "newId" | "ring">,
  talk: Talk,
  { request, caller, link }: { request: FlowRequest; caller: Caller; link?: SignInState["link"] },
): Promise<{ url: string; effect: SessionEffect; headers?: Record<string, string> }> => {
  const { provider } = talk;
  const scopes = scopesOf(talk, request.scopes);
  const { state, data, effect } = await beginState(deps, {
    providerId: provider.id,
    callbackURL: callbackUrlOf(request, caller),
    errorURL: request.errorCallbackURL || undefined,
    newUserURL: request.newUserCallbackURL || undefined,
    requestSignUp: request.requestSignUp,
    link,
    scopes,
    redirectUri: provider.options.redirectURI ?? `${caller.baseUrl}/callback/${provider.id}`,
  });
  const { loginHint, additionalParams } = request;
  const url = authorizationUrl(talk, { ...data, state, loginHint, additionalParams });
  return { url, effect, ...(url.length > headerLengthMax ? {} : { headers: { location: url } }) };
};
