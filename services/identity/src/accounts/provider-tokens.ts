import { WireError, type ProviderTokens, type Caller } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import type { Deps, Handler, CallOf, AnswerOf } from "../deps.ts";
import { type Provider, canRefresh, openProviderClient } from "../providers/provider-client.ts";
import { isStrongSession, requireStrong } from "../sessions/session-rules.ts";
import {
  findClientsAccount,
  type NamedAccount,
  type TokenAccount,
  findNamedAccount,
} from "../rows/accounts.ts";
import { callProvider } from "../providers/call-provider.ts";
import { openTokens } from "./account-tokens.ts";
import { refreshAccount, type RefreshAccountNeeds, type Refreshed } from "./refresh-account.ts";
import { readUser, type SocialUser } from "../providers/read-user.ts";
import { readClaims } from "../providers/token-answer.ts";

/** Returns the user id that a service names. Throws `EITHER_USERID_OR_SESSION_IS_REQUIRED` if it names none. */
const readUserId = ({ userId }: { userId?: string | undefined }): string => {
  if (!userId) throw new WireError("EITHER_USERID_OR_SESSION_IS_REQUIRED");
  return userId;
};

type Needs = Pick<Deps, "clock" | "config">;

/** Forbids caches to store profiles and tokens of a provider. */
const unkept = { "cache-control": "no-store" } as const;

/** Throws `FORBIDDEN` or `SESSION_IS_NOT_FRESH` if a session may not see an access token with which anybody signs in here. */
const checkAccessToken = (
  deps: Needs,
  { options, known }: Provider,
  session: ResolvedSession,
): void => {
  if (options.disableIdTokenSignIn || !known().clientIdToken?.acceptsAccessTokens) return;
  if (session.session.impersonatedBy) throw new WireError("FORBIDDEN");
  requireStrong(deps, session);
};

/**
 * Returns tokens in the form of the reply. Only a strong session gets the id token. It was issued to this installation, so its holder can
 * sign in with it. A thief of an old session could otherwise start a strong one. The same holds for access tokens of a provider that signs
 * in by them. Without its access token the reply would be of no use, so it is an error.
 */
export const showTokens = (
  deps: Needs,
  { provider, tokens }: { provider: Provider; tokens: ProviderTokens },
  session: ResolvedSession | undefined,
) => {
  if (session) checkAccessToken(deps, provider, session);
  const { refreshToken, idToken, ...others } = tokens;
  const isWithheld = session && (session.session.impersonatedBy || !isStrongSession(deps, session));
  return {
    reply: {
      ...others,
      ...(idToken === undefined || isWithheld ? {} : { idToken }),
      ...(deps.config.account.returnRefreshToken ? { refreshToken } : {}),
    },
    headers: unkept,
  };
};

/** A user's account together with its provider. */
interface ProviderAccount {
  provider: Provider;
  account: TokenAccount;
}

/** Returns the named account of a user. Throws `PROVIDER_IS_NOT_SUPPORTED` and `ACCOUNT_NOT_FOUND`. */
const findProviderAccount = async (
  { db, providers }: Pick<Deps, "db" | "providers">,
  named: NamedAccount,
): Promise<ProviderAccount> => {
  const supported = (providerId: string): Provider => {
    const provider = providers.get(providerId);
    const message = `Provider ${providerId} is not supported.`;
    if (!provider) throw new WireError("PROVIDER_IS_NOT_SUPPORTED", { message });
    return provider;
  };
  if (named.providerId !== undefined) supported(named.providerId); // before a look-up
  const account = await findClientsAccount(db, named);
  if (!account) throw new WireError("ACCOUNT_NOT_FOUND");
  return { provider: supported(account.providerId), account };
};

/** An access token that expires sooner may be expired by the time it is used. */
const leftMillisecondsMin = 5_000;

const millisecondsLeft = ({ accessTokenExpiresAt }: ProviderTokens, now: number): number =>
  accessTokenExpiresAt === undefined ? Number.NaN : accessTokenExpiresAt.getTime() - now;

/** Returns whether there is an access token with a known expiry that is far enough away. */
const lasts = (tokens: ProviderTokens, now: number): boolean =>
  tokens.accessToken !== undefined && millisecondsLeft(tokens, now) >= leftMillisecondsMin;

/** Returns whether the access token differs from the earlier one and is not known to be about to expire. */
const isNew = (tokens: ProviderTokens, before: ProviderTokens, now: number): boolean =>
  tokens.accessToken !== undefined &&
  tokens.accessToken !== before.accessToken &&
  !(millisecondsLeft(tokens, now) < leftMillisecondsMin);

/**
 * Returns the tokens of an account. Refreshes them if the access token is about to expire or its expiry is unknown.
 * Tokens that cannot be refreshed are returned unchanged. Throws `FAILED_TO_GET_A_VALID_ACCESS_TOKEN` if the refresh
 * fails.
 */
const validTokens = async (
  deps: RefreshAccountNeeds,
  { provider, account }: ProviderAccount,
  caller: Caller,
): Promise<Refreshed> => {
  const before = openTokens(deps, account);
  const isGood = (tokens: ProviderTokens) =>
    tokens.refreshToken === undefined || lasts(tokens, deps.clock());
  if (isGood(before)) return { tokens: before };
  const providerCall = { providerId: provider.id, caller };
  const client = await callProvider(deps, providerCall, () => openProviderClient(deps, provider));
  if (client && !canRefresh(client)) return { tokens: before };
  const refreshed =
    client &&
    (await refreshAccount(deps, {
      provider,
      account,
      caller,
      isSuperfluous: (tokens) => isGood(tokens) || isNew(tokens, before, deps.clock()),
    }));
  if (!refreshed) throw new WireError("FAILED_TO_GET_A_VALID_ACCESS_TOKEN");
  return refreshed;
};

const answerValid = async (
  deps: RefreshAccountNeeds,
  {
    body: { providerId, accountId },
    caller,
    session,
  }: CallOf<"getAccessToken" | "getAccessTokenOf">,
  userId: string,
): Promise<AnswerOf<"getAccessToken">> => {
  const linkedAccount = await findProviderAccount(deps, { userId, providerId, accountId });
  const { tokens } = await validTokens(deps, linkedAccount, caller);
  return showTokens(deps, { provider: linkedAccount.provider, tokens }, session);
};

/** Returns the tokens of one of the caller's accounts, refreshed if due. */
export const getAccessToken: Handler<"getAccessToken"> = (deps, call) =>
  answerValid(deps, call, call.session.user.id);

/** Returns the tokens of any user's account for an internal service, refreshed if due. */
export const getAccessTokenOf: Handler<"getAccessTokenOf"> = async (deps, call) =>
  answerValid(deps, call, readUserId(call.body));

const answerRefreshed = async (
  deps: RefreshAccountNeeds,
  { body: { providerId, accountId }, caller, session }: CallOf<"refreshToken" | "refreshTokenOf">,
  userId: string,
): Promise<AnswerOf<"refreshToken">> => {
  const { provider, account } = await findProviderAccount(deps, { userId, providerId, accountId });
  const providerCall = { providerId: provider.id, caller };
  const client = await callProvider(deps, providerCall, () => openProviderClient(deps, provider));
  const message = `Provider ${provider.id} does not support token refreshing.`;
  if (client && !canRefresh(client))
    throw new WireError("PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING", { message });
  const mayRefresh = client && openTokens(deps, account).refreshToken !== undefined;
  const isSuperfluous = () => false;
  const refreshed =
    mayRefresh && (await refreshAccount(deps, { provider, account, caller, isSuperfluous }));
  if (!refreshed || !refreshed.given) throw new WireError("FAILED_TO_REFRESH_ACCESS_TOKEN");
  return showTokens(deps, { provider, tokens: refreshed.given }, session);
};

/** Refreshes the tokens of one of the caller's accounts, due or not, and returns the provider's new tokens. */
export const refreshToken: Handler<"refreshToken"> = (deps, call) =>
  answerRefreshed(deps, call, call.session.user.id);

/** Refreshes the tokens of any user's account for an internal service. */
export const refreshTokenOf: Handler<"refreshTokenOf"> = async (deps, call) =>
  answerRefreshed(deps, call, readUserId(call.body));

const findAccount = async (
  { db, providers }: Pick<Deps, "db" | "providers">,
  named: NamedAccount,
): Promise<ProviderAccount> => {
  const account = await findNamedAccount(db, named);
  if (!account) throw new WireError("ACCOUNT_NOT_FOUND");
  const provider = providers.get(account.providerId);
  const message = `Provider account provider is ${account.providerId} but it is not configured`;
  if (!provider) throw new WireError("PROVIDER_IS_NOT_CONFIGURED", { message });
  return { provider, account };
};

const show = ({ id, name = "", email, image, emailVerified, mapped }: SocialUser) => ({
  ...mapped,
  id,
  name,
  email: email ?? null,
  image: image ?? null,
  emailVerified,
});

/** Returns the profile that the provider of one of the caller's accounts reports right now. Stores none of it. */
export const accountInfo: Handler<"accountInfo" | "readAccountInfo"> = async (
  deps,
  { body, query, caller, session },
) => {
  const { accountId } = body ?? query;
  const linkedAccount = await findAccount(deps, { userId: session.user.id, accountId });
  const { provider, account } = linkedAccount;
  const { tokens, client } = await validTokens(deps, linkedAccount, caller);
  const answer = { tokens, claims: readClaims(tokens.idToken), answer: {} };
  const providerCall = { providerId: provider.id, caller };
  // Reuses the client of a refresh, so that refresh and profile request share one deadline, which is below the client's
  // timeout.
  const read = await callProvider(deps, providerCall, async () =>
    readUser(client ?? (await openProviderClient(deps, provider)), answer, {
      accountId: account.accountId,
    }),
  );
  if (!read) throw new WireError("FAILED_TO_GET_USER_INFO");
  const { id, providerId } = account;
  const reply = {
    user: show(read.user),
    account: { id, providerId, accountId: account.accountId },
    data: read.data,
  };
  return { reply, headers: unkept };
};
