import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { askProvider } from "../providers/ask-provider.ts";
import type { TokenAnswer } from "../providers/provider.ts";
import { readUser } from "../providers/read-user.ts";
import type { ProviderClient } from "../providers/provider-client.ts";
import type { FinishSignInNeeds } from "../sign-in/finish-sign-in.ts";
import { toUser } from "../users/user-row.ts";
import { joinName } from "./join-name.ts";
import { resolveSocialUser, type ResolveSocialNeeds } from "./resolve-social-user.ts";
import type { SocialSignIn } from "./social-sign-in.ts";
import { finishSocialSignIn } from "./finish-social-sign-in.ts";

type SignInSocial = typeof operations.identity.signInSocial;

/** Tokens that a client brings in place of a redirect to the provider. */
export interface ClientIdTokenInput {
  token: string;
  nonce?: string | undefined;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  /** When the access token expires, in seconds or milliseconds since 1970. */
  expiresAt?: number | undefined;
  scopes?: string[] | undefined;
  user?:
    | { name?: { firstName?: string | undefined; lastName?: string | undefined } | undefined }
    | undefined;
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
 * Returns the user of an id token that a client brings. Throws `ID_TOKEN_NOT_SUPPORTED`, `INVALID_TOKEN`,
 * `FAILED_TO_GET_USER_INFO` and `USER_EMAIL_NOT_FOUND`.
 */
export const readClientIdTokenUser = async (
  deps: Pick<Deps, "logger">,
  client: ProviderClient,
  { idToken, caller }: { idToken: ClientIdTokenInput; caller: Call<SignInSocial>["caller"] },
): Promise<Pick<SocialSignIn, "user" | "tokens">> => {
  const { takesIdTokens, verifyClientIdToken } =
    await import("../providers/verify-client-id-token.ts");
  if (!takesIdTokens(client)) throw new WireError("ID_TOKEN_NOT_SUPPORTED");
  const { token, nonce, accessToken, refreshToken, scopes, user: named } = idToken;
  const claims = await verifyClientIdToken(client, { token, nonce });
  if (!claims) throw new WireError("INVALID_TOKEN", { status: 401 });
  const accessTokenExpiresAt = accessToken === undefined ? undefined : expiryOf(idToken);
  const tokens = { idToken: token, accessToken, refreshToken, accessTokenExpiresAt, scopes };
  const answer: TokenAnswer = { tokens, claims, answer: {} };
  const told = { providerId: client.provider.id, caller };
  const givenName = joinName(named?.name);
  const read = await askProvider(deps, told, () => readUser(client, answer, { givenName }));
  if (!read || !isProven(client, claims, read.user.id))
    throw new WireError("FAILED_TO_GET_USER_INFO");
  const { user } = read;
  if (user.email === undefined) throw new WireError("USER_EMAIL_NOT_FOUND");
  return { user: { ...user, email: user.email }, tokens };
};

/** Signs a user in by a provider's id token that the client brings. */
export const signInWithIdToken = async (
  deps: ResolveSocialNeeds & FinishSignInNeeds,
  { body, caller }: Call<SignInSocial>,
  { client, idToken }: { client: ProviderClient; idToken: ClientIdTokenInput },
): Promise<Answer<OperationReply<SignInSocial>>> => {
  const there = await readClientIdTokenUser(deps, client, { idToken, caller });
  const signIn: SocialSignIn = {
    ...there,
    client,
    caller,
    requestSignUp: body.requestSignUp ?? false,
    nameFallback: "",
    callbackURL: body.callbackURL,
  };
  const { user } = await resolveSocialUser(deps, signIn);
  const outcome = await finishSocialSignIn(deps, user, signIn);
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { token } = outcome.session;
  return { reply: { redirect: false, token, user: toUser(user) }, effect };
};
