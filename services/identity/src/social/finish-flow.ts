import { type Caller, type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import { logProviderFailure } from "../providers/ask-provider.ts";
import type { TokenAnswer } from "../providers/provider.ts";
import { ProviderError } from "../providers/provider-error.ts";
import { readUser } from "../providers/read-user.ts";
import { openProviderClient, type ProviderClient } from "../providers/provider-client.ts";
import { challengeRedirect } from "../second-factor/challenge-redirect.ts";
import type { FinishSignInNeeds } from "../sign-in/finish-sign-in.ts";
import type { FindProviderClientNeeds } from "./find-provider-client.ts";
import {
  accountErrorPage,
  callbackHeaders,
  defaultErrorUrl,
  errorRedirect,
  type FlowError,
} from "./error-redirect.ts";
import { finishLink } from "./finish-link.ts";
import { finishSocialSignIn } from "./finish-social-sign-in.ts";
import { isIssuerGood } from "./is-issuer-good.ts";
import type { LinkOnceNeeds } from "./link-once.ts";
import { readGivenName } from "./read-given-name.ts";
import { resolveSocialUser, type ResolveSocialNeeds } from "./resolve-social-user.ts";
import { forgetState, readState, type SignInState, takeState } from "./sign-in-state.ts";
import type { SocialSignIn } from "./social-sign-in.ts";
import { refusalReasonOf } from "../refused-sign-ins/refusal-reason.ts";
import { recordRefusal } from "../statistics/count-refusal.ts";

/** The callback parameters of a provider. */
export type Returned = Call<typeof operations.identity.callback>["query"];

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
  const { user } = read;
  if (user.email === undefined) throw new FlowRefusal("email_not_found");
  if (!state.callbackURL) throw new FlowRefusal("no_callback_url");
  return {
    client,
    user: { ...user, email: user.email },
    tokens: answer.tokens,
    caller,
    requestSignUp: state.requestSignUp ?? false,
    isOfApp: state.isOfApp ?? false,
    nameFallback: client.definition.nameFallback ?? user.email,
    callbackURL: state.callbackURL,
  };
};

const complete = async (deps: FinishFlowNeeds, flow: Flow) => {
  const { state } = flow;
  const signIn = await identify(deps, flow);
  if (state.link) {
    await finishLink(deps, state.link, signIn);
    return { redirect: state.callbackURL, headers: callbackHeaders, effect: forgetState };
  }
  const { user, isNew } = await resolveSocialUser(deps, signIn);
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
  if (error.code === "TWO_FACTOR_REQUIRED") return { error: "two_factor_required" };
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
  const known = iss === undefined ? undefined : providers.get(providerId)?.known();
  return known && !isIssuerGood(known, iss) ? { error: "issuer_mismatch" } : { error, description };
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
  } catch (error) {
    const told = flowErrorOf(error);
    const page = accountErrorPage(deps, state);
    if (!told) {
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
    const own = told.error === "banned" ? page : state.errorURL;
    return errorRedirect(own ?? elsewhere, told, forgetState);
  }
};
