import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { askProvider } from "../providers/ask-provider.ts";
import type { TokenAnswer } from "../providers/provider.ts";
import { readUser } from "../providers/read-user.ts";
import type { Talk } from "../providers/talk.ts";
import { takesIdTokens, verifyBroughtToken } from "../providers/verify-brought-token.ts";
import type { CreateSessionNeeds } from "../sessions/create-session.ts";
import { toUser } from "../users/user-row.ts";
import { joinName } from "./join-name.ts";
import { resolveSocialUser, type ResolveSocialNeeds } from "./resolve-social-user.ts";
import type { SocialSignIn } from "./social-sign-in.ts";
import { startSocialSession } from "./start-session.ts";

type SignInSocial = typeof operations.identity.signInSocial;

/** What a client brings instead of going to the provider. */
export interface BroughtTokens {
  token: string;
  nonce?: string | undefined;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  /** When the access token expires: seconds or milliseconds since 1970. */
  expiresAt?: number | undefined;
  scopes?: string[] | undefined;
  user?:
    | { name?: { firstName?: string | undefined; lastName?: string | undefined } | undefined }
    | undefined;
}

/**
 * Whether the profile is of whom the token proves. Where the application's own function judges tokens, the profile may have
 * been read with an access token that the client brought, which anybody may have been given by somebody else.
 */
const isProven = (
  { provider: { options } }: Talk,
  claims: Readonly<Record<string, unknown>>,
  userId: string,
): boolean =>
  options.verifyIdToken === undefined ||
  options.getUserInfo !== undefined ||
  claims["sub"] === userId ||
  claims["oid"] === userId;

/** Seconds are at this in the year 5138, and milliseconds were in 1973. */
const secondsMax = 1e11;
/** The end of the year 9999; what lasts longer is no lifetime. */
const expiryMax = Date.UTC(10_000, 0);

/** Clients write either. */
const expiryOf = ({ expiresAt }: BroughtTokens): Date | undefined => {
  if (expiresAt === undefined || expiresAt <= 0) return undefined;
  const milliseconds = expiresAt < secondsMax ? expiresAt * 1_000 : expiresAt;
  return milliseconds < expiryMax ? new Date(milliseconds) : undefined;
};

/**
 * Who an id token that a client brings is for. Throws `ID_TOKEN_NOT_SUPPORTED`, `INVALID_TOKEN`, `FAILED_TO_GET_USER_INFO`
 * and `USER_EMAIL_NOT_FOUND`.
 */
export const readBroughtUser = async (
  deps: Pick<Deps, "logger">,
  talk: Talk,
  { brought, caller }: { brought: BroughtTokens; caller: Call<SignInSocial>["caller"] },
): Promise<Pick<SocialSignIn, "user" | "tokens">> => {
  if (!takesIdTokens(talk)) throw new WireError("ID_TOKEN_NOT_SUPPORTED");
  const { token, nonce, accessToken, refreshToken, scopes, user: named } = brought;
  const claims = await verifyBroughtToken(talk, { token, nonce });
  if (!claims) throw new WireError("INVALID_TOKEN", { status: 401 });
  const accessTokenExpiresAt = accessToken === undefined ? undefined : expiryOf(brought);
  const tokens = { idToken: token, accessToken, refreshToken, accessTokenExpiresAt, scopes };
  const answer: TokenAnswer = { tokens, claims, answer: {} };
  const told = { providerId: talk.provider.id, caller };
  const givenName = joinName(named?.name);
  const read = await askProvider(deps, told, () => readUser(talk, answer, { givenName }));
  if (!read || !isProven(talk, claims, read.user.id))
    throw new WireError("FAILED_TO_GET_USER_INFO");
  const { user } = read;
  if (user.email === undefined) throw new WireError("USER_EMAIL_NOT_FOUND");
  return { user: { ...user, email: user.email }, tokens };
};

/** Signs somebody in who brings an id token of a provider. */
export const signInWithIdToken = async (
  deps: ResolveSocialNeeds & CreateSessionNeeds,
  { body, caller }: Call<SignInSocial>,
  { talk, brought }: { talk: Talk; brought: BroughtTokens },
): Promise<Answer<OperationReply<SignInSocial>>> => {
  const there = await readBroughtUser(deps, talk, { brought, caller });
  const signIn: SocialSignIn = {
    ...there,
    talk,
    caller,
    requestSignUp: body.requestSignUp ?? false,
    nameFallback: "",
    callbackURL: body.callbackURL,
  };
  const { user } = await resolveSocialUser(deps, signIn);
  const { token, effect } = await startSocialSession(deps, user, signIn);
  return { reply: { redirect: false, token, user: toUser(user) }, effect };
};
