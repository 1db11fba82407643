import { type Caller, type SessionEffect, WireError } from "@latchkey/contracts";
import { landingPlace } from "@latchkey/service-kit/http";
import { findGuestSession } from "../access/link-guest.ts";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { authorizationUrl, scopesOf } from "../providers/authorization-url.ts";
import type { ProviderClient } from "../providers/provider-client.ts";
import { beginState, type SignInState } from "./sign-in-state.ts";
import { callbackAddress, stateForProvider } from "./oauth-proxy.ts";
import { callProvider } from "../providers/call-provider.ts";
import type { TokenAnswer } from "../providers/provider.ts";
import type { Answer } from "../providers/provider-call.ts";
import { readUser, type SocialUser } from "../providers/read-user.ts";
import type { FinishSignInNeeds, SignInOutcome } from "../sign-in/finish-sign-in.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import {
  type GivenName,
  joinName,
  resolveSocialUser,
  type ResolveSocialNeeds,
} from "./resolve-social-user.ts";
import { type SocialSignIn, withAddress, finishSocialSignIn } from "./social-sign-in.ts";
import { countRefusal } from "../statistics/count-refusal.ts";
import { findProviderClient, type FindProviderClientNeeds } from "./find-provider-client.ts";
import { isTrusted, isAddressAllowed, mayLink } from "./link-rules.ts";
import {
  type LinkAttempt,
  type LinkManner,
  linkOnce,
  type LinkOnceNeeds,
  lookAgain,
} from "./finish-link.ts";

/** A client's request to start a flow. */
interface FlowRequest {
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
const startFlow = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "logger" | "newId" | "ring" | "sessions">,
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
    guestSession: link ? undefined : await findGuestSession(deps, caller),
    link,
    scopes,
    redirectUri: callbackAddress(deps, client, caller),
  });
  const { expiresAt } = data;
  const sent = stateForProvider(deps, client, { preview: caller.baseUrl, state, expiresAt });
  const url = authorizationUrl(client, { ...data, state: sent, loginHint, additionalParams });
  const redirect = !disableRedirect;
  const showsLocation = redirect && url.length <= headerLengthMax;
  return {
    reply: { url, redirect },
    effect,
    ...(showsLocation ? { headers: { location: url } } : {}),
  };
};

/** Tokens that a client brings in place of a redirect to the provider. */
interface ClientIdTokenInput {
  token: string;
  nonce?: string | undefined;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  /** When the access token expires, in seconds or milliseconds since 1970. */
  expiresAt?: number | undefined;
  scopes?: string[] | undefined;
  user?: { name?: GivenName | null | undefined } | undefined;
}

/**
 * Returns whether the profile is of the user whom the verified token names. If the application's own function verifies
 * tokens, the profile may have been read with an access token from the client, which an attacker may have got from another user.
 */
const isProven = (
  { provider: { options } }: ProviderClient,
  claims: Readonly<Record<string, unknown>>,
  userId: string,
): boolean =>
  options.verifyIdToken === undefined ||
  options.getUserInfo !== undefined ||
  claims["sub"] === userId ||
  claims["oid"] === userId;

/** As seconds, this is in the year 5138. As milliseconds, it was in 1973. */
const secondsMax = 1e11;
/** The end of the year 9999. A later expiry is not plausible. */
const expiryMax = Date.UTC(10_000, 0);

/** Clients send either unit. */
const expiryOf = ({ expiresAt }: ClientIdTokenInput): Date | undefined => {
  if (expiresAt === undefined || expiresAt <= 0) return undefined;
  const milliseconds = expiresAt < secondsMax ? expiresAt * 1_000 : expiresAt;
  return milliseconds < expiryMax ? new Date(milliseconds) : undefined;
};

/**
 * Returns the user of an id token that a client brings. Throws `ID_TOKEN_NOT_SUPPORTED`, `INVALID_TOKEN` and
 * `FAILED_TO_GET_USER_INFO`.
 */
export const readClientIdTokenUser = async (
  deps: Pick<Deps, "logger">,
  client: ProviderClient,
  { idToken, caller }: { idToken: ClientIdTokenInput; caller: Caller },
): Promise<Pick<SocialSignIn, "tokens"> & { user: SocialUser; claims: Answer }> => {
  const { takesIdTokens, verifyClientIdToken } =
    await import("../providers/verify-client-id-token.ts");
  if (!takesIdTokens(client)) throw new WireError("ID_TOKEN_NOT_SUPPORTED");
  const { token, nonce, accessToken, refreshToken, scopes, user: named } = idToken;
  const claims = await verifyClientIdToken(client, { token, nonce });
  if (!claims) throw new WireError("INVALID_TOKEN", { status: 401 });
  const accessTokenExpiresAt = accessToken === undefined ? undefined : expiryOf(idToken);
  const tokens = { idToken: token, accessToken, refreshToken, accessTokenExpiresAt, scopes };
  const answer: TokenAnswer = { tokens, claims, answer: {} };
  const providerCall = { providerId: client.provider.id, caller };
  const givenName = joinName(named?.name);
  const read = await callProvider(deps, providerCall, () =>
    readUser(client, answer, { givenName }),
  );
  if (!read || !isProven(client, claims, read.user.id))
    throw new WireError("FAILED_TO_GET_USER_INFO");
  return { user: read.user, tokens, claims };
};

interface IdTokenSignIn extends Pick<SocialSignIn, "caller" | "callbackURL" | "client"> {
  idToken: ClientIdTokenInput;
  requestSignUp?: boolean | undefined;
  /** Refuses a verified token by an error, before it signs anybody in. */
  examine?: (claims: Answer) => Promise<void>;
}

/** Signs a user in by a provider's id token that the client brings. */
export const signInWithIdToken = async (
  deps: ResolveSocialNeeds & FinishSignInNeeds,
  { client, idToken, caller, requestSignUp = false, callbackURL, examine }: IdTokenSignIn,
): Promise<{ user: UserRow; outcome: SignInOutcome }> => {
  const read = await readClientIdTokenUser(deps, client, { idToken, caller });
  await examine?.(read.claims);
  const addressed = await withAddress(deps, client, read.user);
  if (!addressed) throw new WireError("USER_EMAIL_NOT_FOUND");
  const signIn: SocialSignIn = {
    user: addressed,
    tokens: read.tokens,
    client,
    caller,
    guest: caller,
    requestSignUp,
    nameFallback: "",
    callbackURL,
  };
  const { user } = await resolveSocialUser(deps, signIn);
  return { user, outcome: await finishSocialSignIn(deps, user, signIn) };
};

/** Starts a sign-in at a provider, or signs in with an id token that the client brings. */
export const signInSocial: Handler<"signInSocial"> = async (deps, call) => {
  const { body, caller } = call;
  const client = await findProviderClient(deps, body.provider, caller);
  const { idToken } = body;
  if (!idToken) return startFlow(deps, client, { request: body, caller });
  const { requestSignUp, callbackURL } = body;
  const { user, outcome } = await countRefusal(deps, caller, () =>
    signInWithIdToken(deps, { client, idToken, caller, requestSignUp, callbackURL }),
  );
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { token } = outcome.session;
  return { reply: { redirect: false, token, user: toUser(user) }, effect };
};

type Needs = FindProviderClientNeeds & LinkOnceNeeds;

const linkOf = ({ user, session }: CallOf<"linkSocial">["session"]) => ({
  userId: user.id,
  sessionToken: session.token,
});

const refuseUnlinkable = async (
  { config }: Needs,
  here: UserRow,
  { client, user: there, caller }: LinkAttempt["signIn"],
): Promise<void> => {
  const { accountLinking } = config.account;
  const facts = {
    isTrusted: await isTrusted({ config }, client.provider.id, caller),
    isVerifiedThere: there.emailVerified,
  };
  if (!mayLink(accountLinking, facts))
    throw new WireError("ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED");
  if (!isAddressAllowed(accountLinking, there.email, here.email))
    throw new WireError("ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED");
};

const linkClientIdToken = async (
  deps: Needs,
  call: CallOf<"linkSocial">,
  { client, idToken }: { client: ProviderClient; idToken: ClientIdTokenInput },
): Promise<void> => {
  const { caller, session } = call;
  const { user: there, tokens } = await readClientIdTokenUser(deps, client, { idToken, caller });
  const user = await withAddress(deps, client, there);
  if (!user) throw new WireError("USER_EMAIL_NOT_FOUND");
  const signIn = { user, tokens, client, caller };
  const attempt = { link: linkOf(session), signIn };
  const manner: LinkManner = {
    gone: new WireError("UNAUTHORIZED"), // signed out meanwhile
    taken: new WireError("SOCIAL_ACCOUNT_ALREADY_LINKED", { status: 409 }),
    refuse: async (here, isTheirs) => {
      if (!isTheirs) await refuseUnlinkable(deps, here, signIn);
    },
    renew: async () => true,
  };
  const refusal = new WireError("ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT");
  const isLinked = await lookAgain(() => linkOnce(deps, attempt, manner)).catch(
    (error: unknown) => {
      const isRefused = error instanceof WireError && error.code === "UNABLE_TO_LINK_ACCOUNT";
      throw isRefused ? refusal : error;
    },
  );
  if (!isLinked) throw refusal;
};

/** Starts a flow to link an account to the caller, or links the account of an id token that the client brings. */
export const linkSocial: Handler<"linkSocial"> = async (deps, call) => {
  const { body, caller, session } = call;
  const client = await findProviderClient(deps, body.provider, caller);
  const { idToken } = body;
  if (idToken) {
    await linkClientIdToken(deps, call, { client, idToken });
    return { reply: { redirect: false, url: "", status: true } };
  }
  const link = linkOf(session);
  return startFlow(deps, client, { request: body, caller, link });
};
