import { type Caller, type KeptChanges, type SessionEffect, WireError } from "@latchkey/contracts";
import type { CallOf } from "../deps.ts";
import { logProviderFailure } from "../providers/call-provider.ts";
import type { ProviderDefinition, TokenAnswer } from "../providers/provider.ts";
import {
  ProviderError,
  openProviderClient,
  type ProviderClient,
} from "../providers/provider-client.ts";
import { readUser } from "../providers/read-user.ts";
import { challengeRedirect, type FinishSignInNeeds } from "../sign-in/finish-sign-in.ts";

import type { FindProviderClientNeeds } from "./find-provider-client.ts";
import {
  accountErrorPage,
  callbackHeaders,
  defaultErrorUrl,
  errorRedirect,
  type FlowError,
} from "./error-redirect.ts";
import { finishLink, type LinkOnceNeeds } from "./finish-link.ts";
import { finishSocialSignIn, type SocialSignIn, withAddress } from "./social-sign-in.ts";
import {
  readGivenName,
  type ResolveSocialNeeds,
  resolveSocialUser,
} from "./resolve-social-user.ts";

import { forgetState, readState, type SignInState, takeState } from "./sign-in-state.ts";
import { lacksFields, storePendingSignUp } from "./pending-sign-up.ts";
import { refusalReasonOf } from "../refused-sign-ins/refusal-tally.ts";
import { recordRefusal } from "../statistics/count-refusal.ts";

/** The callback parameters of a provider. */
export type Returned = CallOf<"callback">["query"];

export type FinishFlowNeeds = FindProviderClientNeeds &
  ResolveSocialNeeds &
  LinkOnceNeeds &
  FinishSignInNeeds;

/** A flow whose browser has returned. */
interface Flow {
  providerId: string;
  returned: Returned;
  caller: Caller;
  state: SignInState;
}

/**
 * Returns whether the issuer in a callback is the provider to which the browser was sent (RFC 9207). Otherwise the code
 * must not be sent to any token endpoint. A missing issuer is accepted only if the provider does not promise to send one.
 */
const isIssuerGood = (
  { issuer, namesIssuer }: Pick<ProviderDefinition, "issuer" | "namesIssuer">,
  named: string | undefined,
): boolean => {
  if (typeof issuer !== "string") return true;
  return named === undefined ? !namesIssuer : named === issuer;
};

/** Ends a flow with an error for the client's page. */
class FlowRefusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const attempt = async <T>(
  deps: FinishFlowNeeds,
  { providerId, caller }: Flow,
  { code, act }: { code: string; act: () => Promise<T> },
): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logProviderFailure(deps, error, { providerId, caller });
    throw new FlowRefusal(code);
  }
};

const exchange = async (
  deps: FinishFlowNeeds,
  flow: Flow,
): Promise<[ProviderClient, TokenAnswer]> => {
  const { returned, state } = flow;
  const { code, device_id } = returned;
  if (code === undefined || code === "") throw new FlowRefusal("no_code");
  const provider = deps.providers.get(flow.providerId);
  if (!provider) throw new FlowRefusal("oauth_provider_not_found");
  return attempt(deps, flow, {
    code: "invalid_code",
    act: async () => {
      const client = await openProviderClient(deps, provider);
      if (!isIssuerGood(client.definition, returned.iss)) throw new FlowRefusal("issuer_mismatch");
      // The provider may require its own device id in the token request.
      const callback: Record<string, string> = device_id === undefined ? {} : { device_id };
      const { exchangeCode } = await import("../providers/token-endpoint.ts");
      return [client, await exchangeCode(client, { ...state, code, callback })];
    },
  });
};

/** Returns the user that the provider asserts. */
const identify = async (deps: FinishFlowNeeds, flow: Flow): Promise<SocialSignIn> => {
  const { caller, state, returned } = flow;
  const [client, answer] = await exchange(deps, flow);
  const givenName = readGivenName(returned.user);
  const code = "unable_to_get_user_info";
  const read = await attempt(deps, flow, {
    code,
    act: () => readUser(client, answer, { givenName }),
  });
  if (!read) throw new FlowRefusal(code);
  const user = await withAddress(deps, client, read.user);
  if (!user) throw new FlowRefusal("email_not_found");
  if (!state.callbackURL) throw new FlowRefusal("no_callback_url");
  return {
    client,
    user,
    tokens: answer.tokens,
    caller,
    guest: { sessionToken: state.guestSession },
    requestSignUp: state.requestSignUp ?? false,
    isOfApp: state.isOfApp ?? false,
    nameFallback: client.definition.nameFallback ?? user.email,
    callbackURL: state.callbackURL,
  };
};

/** Ends a flow whose new user lacks required additional fields. The browser keeps the sign-up. */
class FieldsRefusal extends Error {
  readonly error: WireError;
  readonly keeps: KeptChanges;

  constructor(error: WireError, keeps: KeptChanges) {
    super(error.message);
    this.error = error;
    this.keeps = keeps;
  }
}

const storeSignUp = (deps: FinishFlowNeeds, signIn: SocialSignIn): Promise<KeptChanges> => {
  const { client, user, tokens, guest, requestSignUp, nameFallback, callbackURL } = signIn;
  const providerId = client.provider.id;
  return storePendingSignUp(deps, deps.db, {
    kind: "social",
    providerId,
    user,
    tokens,
    requestSignUp,
    nameFallback,
    callbackURL,
    guestSession: guest.sessionToken,
  });
};

const complete = async (deps: FinishFlowNeeds, flow: Flow) => {
  const { state } = flow;
  const signIn = await identify(deps, flow);
  if (state.link) {
    await finishLink(deps, state.link, signIn);
    return { redirect: state.callbackURL, headers: callbackHeaders, effect: forgetState };
  }
  const { user, isNew } = await resolveSocialUser(deps, signIn).catch(async (error: unknown) => {
    // The cookies of a browser that an app has opened are not those of the app.
    if (!lacksFields(error) || signIn.isOfApp) throw error;
    throw new FieldsRefusal(error, await storeSignUp(deps, signIn));
  });
  const outcome = await finishSocialSignIn(deps, user, signIn);
  const { effect } = outcome;
  const callbackURL = (isNew ? state.newUserURL : undefined) ?? state.callbackURL;
  return {
    redirect:
      outcome.kind === "challenge"
        ? challengeRedirect(deps, outcome.challenge, callbackURL)
        : callbackURL,
    headers: callbackHeaders,
    effect: { ...effect, endsState: true, toApp: state.isOfApp },
  };
};

/** Returns the error for the page, or undefined if the page must not learn about it. */
const flowErrorOf = (error: unknown): FlowError | undefined => {
  if (error instanceof FlowRefusal) return { error: error.code };
  if (!(error instanceof WireError) || error.status >= 500) return undefined;
  if (error.code === "TWO_FACTOR_REQUIRED" || error.code === "TOO_MANY_SESSIONS")
    return { error: error.code.toLowerCase() };
  if (error.code === "BANNED_USER") return { error: "banned", description: error.message };
  const word = error.code === "EMAIL_NOT_VERIFIED" ? "email not verified" : error.message;
  return { error: word.replaceAll(" ", "_") };
};

/** Returns the provider's error code, unless the callback names another provider as the issuer. */
const errorOf = (
  { providers }: FinishFlowNeeds,
  providerId: string,
  { error = "", error_description: description, iss }: Returned,
): FlowError => {
  // An invented callback must not cause a call to the provider.
  const definition = iss === undefined ? undefined : providers.get(providerId)?.known();
  return definition && !isIssuerGood(definition, iss)
    ? { error: "issuer_mismatch" }
    : { error, description };
};

/** Ends a flow that the provider refused. Its state stays usable, because anyone can invent an error. */
const refuse = async (
  deps: FinishFlowNeeds,
  { providerId, returned, caller }: Omit<Flow, "state">,
  elsewhere: string,
) => {
  const state = returned.state ? await readState(deps, caller, returned.state) : undefined;
  const page = state?.providerId === providerId ? accountErrorPage(deps, state) : undefined;
  return errorRedirect(page ?? elsewhere, errorOf(deps, providerId, returned));
};

/**
 * Completes a flow whose browser has returned from a provider. Redirects it to its destination: signed in, with the
 * account linked, or with an error code. Uses up the state first, so that nothing can be tried twice.
 */
export const finishFlow = async (
  deps: FinishFlowNeeds,
  { providerId, returned, caller }: Omit<Flow, "state">,
) => {
  const elsewhere = defaultErrorUrl(deps, caller);
  if (returned.error !== undefined)
    return refuse(deps, { providerId, returned, caller }, elsewhere);
  if (!returned.state) return errorRedirect(elsewhere, { error: "state_not_found" });
  const state = await takeState(deps, caller, returned.state);
  // The code of one provider must not be sent to another (RFC 9700 section 4.4).
  const isOther = state?.providerId !== providerId && deps.providers.has(providerId);
  if (!state || isOther)
    return errorRedirect(elsewhere, { error: "please_restart_the_process" }, state && forgetState);
  try {
    return await complete(deps, { providerId, returned, caller, state });
  } catch (thrown) {
    const lacking = thrown instanceof FieldsRefusal ? thrown : undefined;
    const error: unknown = lacking?.error ?? thrown;
    const flowError = flowErrorOf(error);
    const page = accountErrorPage(deps, state);
    if (!flowError) {
      const { requestId } = caller;
      deps.logger.error({ err: error, requestId }, "failed to complete a sign-in at a provider");
      return errorRedirect(page ?? elsewhere, { error: "internal_server_error" }, forgetState);
    }
    if (!state.link) {
      const reason = "provider-refused";
      recordRefusal(
        deps,
        caller,
        error instanceof WireError ? refusalReasonOf(error, reason) : reason,
      );
    }
    const own = flowError.error === "banned" ? page : state.errorURL;
    const effect: SessionEffect = lacking
      ? { kind: "keep", endsState: true, keeps: lacking.keeps }
      : forgetState;
    return errorRedirect(own ?? elsewhere, flowError, effect);
  }
};
