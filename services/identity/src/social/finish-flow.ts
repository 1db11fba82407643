import { type Caller, type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import { logProviderFailure } from "../providers/ask-provider.ts";
import type { TokenAnswer } from "../providers/provider.ts";
import { ProviderError } from "../providers/provider-error.ts";
import { readUser } from "../providers/read-user.ts";
import { openTalk, type Talk } from "../providers/talk.ts";
import { exchangeCode } from "../providers/token-endpoint.ts";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import type { ConverseNeeds } from "./converse.ts";
import {
  callbackHeaders,
  defaultErrorUrl,
  errorRedirect,
  type FlowError,
} from "./error-redirect.ts";
import { finishLink } from "./finish-link.ts";
import { isIssuerGood } from "./is-issuer-good.ts";
import type { LinkOnceNeeds } from "./link-once.ts";
import { readGivenName } from "./read-given-name.ts";
import { resolveSocialUser, type ResolveSocialNeeds } from "./resolve-social-user.ts";
import { forgetState, type SignInState, takeState } from "./sign-in-state.ts";
import type { SocialSignIn } from "./social-sign-in.ts";
import { startSocialSession } from "./start-session.ts";

/** What a provider sends the browser back with. */
export type Returned = Call<typeof operations.identity.callback>["query"];

/** What it works with. */
export type FinishFlowNeeds = ConverseNeeds &
  ResolveSocialNeeds &
  LinkOnceNeeds &
  CreateSessionNeeds;

/** A flow that a browser has come back from. */
interface Flow {
  providerId: string;
  returned: Returned;
  caller: Caller;
  state: SignInState;
}

/** Ends a flow with an error that the client's page is told. */
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

const exchange = async (deps: FinishFlowNeeds, flow: Flow): Promise<[Talk, TokenAnswer]> => {
  const { returned, state } = flow;
  const { code, device_id } = returned;
  if (code === undefined || code === "") throw new FlowRefusal("no_code");
  const provider = deps.providers.get(flow.providerId);
  if (!provider) throw new FlowRefusal("oauth_provider_not_found");
  return attempt(deps, flow, {
    code: "invalid_code",
    act: async () => {
      const talk = await openTalk(deps, provider);
      if (!isIssuerGood(talk.definition, returned.iss)) throw new FlowRefusal("issuer_mismatch");
      // Of a device that it has named itself, a provider may want to hear again.
      const callback: Record<string, string> = device_id === undefined ? {} : { device_id };
      return [talk, await exchangeCode(talk, { ...state, code, callback })];
    },
  });
};

/** Who has come, by the provider's word. */
const identify = async (deps: FinishFlowNeeds, flow: Flow): Promise<SocialSignIn> => {
  const { caller, state, returned } = flow;
  const [talk, answer] = await exchange(deps, flow);
  const givenName = readGivenName(returned.user);
  const code = "unable_to_get_user_info";
  const read = await attempt(deps, flow, {
    code,
    act: () => readUser(talk, answer, { givenName }),
  });
  if (!read) throw new FlowRefusal(code);
  const { user } = read;
  if (user.email === undefined) throw new FlowRefusal("email_not_found");
  if (!state.callbackURL) throw new FlowRefusal("no_callback_url");
  return {
    talk,
    user: { ...user, email: user.email },
    tokens: answer.tokens,
    caller,
    requestSignUp: state.requestSignUp ?? false,
    nameFallback: talk.definition.nameFallback ?? user.email,
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
  const { effect } = await startSocialSession(deps, user, signIn);
  return {
    redirect: (isNew ? state.newUserURL : undefined) ?? state.callbackURL,
    headers: callbackHeaders,
    effect: { ...effect, endsState: true },
  };
};

/** What the page is told of an error; undefined where there is nothing that it may know. */
const flowErrorOf = (error: unknown): FlowError | undefined => {
  if (error instanceof FlowRefusal) return { error: error.code };
  if (!(error instanceof WireError) || error.status >= 500) return undefined;
  if (error.code === "BANNED_USER") return { error: "banned", description: error.message };
  const word = error.code === "EMAIL_NOT_VERIFIED" ? "email not verified" : error.message;
  return { error: word.replaceAll(" ", "_") };
};

/** A provider's own word for what went wrong, unless another provider names itself. */
const errorOf = (
  { providers }: FinishFlowNeeds,
  providerId: string,
  { error = "", error_description: description, iss }: Returned,
): FlowError => {
  // Whoever makes up an answer must not make us ask anybody.
  const known = iss === undefined ? undefined : providers.get(providerId)?.known();
  return known && !isIssuerGood(known, iss) ? { error: "issuer_mismatch" } : { error, description };
};

/**
 * Takes a browser that comes back from a provider to where it was going, signed in, with its account linked, or with the
 * word for what went wrong. The state is used up before anything else is tried, so that nothing can be tried twice.
 */
export const finishFlow = async (
  deps: FinishFlowNeeds,
  { providerId, returned, caller }: Omit<Flow, "state">,
) => {
  const elsewhere = defaultErrorUrl(deps, caller);
  if (returned.error !== undefined)
    return errorRedirect(elsewhere, errorOf(deps, providerId, returned));
  if (!returned.state) return errorRedirect(elsewhere, { error: "state_not_found" });
  const state = await takeState(deps, caller, returned.state);
  // A code of one provider must not be sent to another (RFC 9700 section 4.4).
  const isOther = state?.providerId !== providerId && deps.providers.has(providerId);
  if (!state || isOther)
    return errorRedirect(elsewhere, { error: "please_restart_the_process" }, state && forgetState);
  try {
    return await complete(deps, { providerId, returned, caller, state });
  } catch (error) {
    const told = flowErrorOf(error);
    if (!told) {
      const { requestId } = caller;
      deps.logger.error({ err: error, requestId }, "a sign-in at a provider failed");
      return errorRedirect(elsewhere, { error: "internal_server_error" }, forgetState);
    }
    if (!state.link) deps.activity.noteRefusedSignIn();
    const url = told.error === "banned" ? elsewhere : (state.errorURL ?? elsewhere);
    return errorRedirect(url, told, forgetState);
  }
};
