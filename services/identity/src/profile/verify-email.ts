import {
  type Caller,
  comparableEmail,
  type SessionEffect,
  WireError,
  type ErrorCode,
  type OperationReply,
  type operations,
  type User,
} from "@latchkey/contracts";
import { type VerificationClaims, verifyVerificationToken } from "@latchkey/crypto";
import { type LinkAnswer, setQuery } from "@latchkey/service-kit/http";
import { SpentError } from "../secrets/secrets.ts";
import { type LiveSession, reissueChanged, reissue } from "../sessions/session-rules.ts";
import { takeEmail, type TakeEmailNeeds } from "./take-email.ts";
import { type UserRow, toUser } from "../users/user-row.ts";
import {
  type LinkUse,
  findVerified,
  markByLink,
  useVerificationLink,
} from "../email-verification/verification-link.ts";
import type { Deps, LinkHandler } from "../deps.ts";
import {
  challengeRedirect,
  finishSignIn,
  type FinishSignInNeeds,
  type SignInOutcome,
} from "../sign-in/finish-sign-in.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { findUser } from "../users/find-users.ts";
import { isBrowserOf, maskAddress, mayAct } from "../secrets/mailed-links.ts";

type Needs = TakeEmailNeeds & Parameters<typeof reissueChanged>[0];

interface EmailReplacement {
  /** The user whose old address has confirmed the change. */
  user: UserRow;
  updateTo: string;
  callbackURL: string | undefined;
  caller: Caller;
  /** The user's own session, in which the link was opened. */
  own: LiveSession;
  consume: LinkUse["consume"];
}

/**
 * Performs a change of address that the old address has confirmed. Returns undefined if the link was used meanwhile. The
 * new address is unverified and is mailed its own link.
 */
const replaceEmail = async (
  deps: Needs,
  { user, updateTo, callbackURL, caller, own, consume }: EmailReplacement,
): Promise<{ user: UserRow; effect: SessionEffect } | undefined> => {
  const { session } = own;
  const email = comparableEmail(updateTo);
  try {
    const replaced = await takeEmail(deps, {
      user,
      email,
      callbackURL,
      caller,
      session,
      within: async (trx) => {
        if (!(await consume(trx))) throw new SpentError();
      },
    });
    if (!replaced) throw new WireError("COULDNT_UPDATE_YOUR_EMAIL");
    return { user: replaced, effect: await reissueChanged(deps, own, replaced) };
  } catch (error) {
    if (error instanceof SpentError) return undefined;
    throw error;
  }
};

type Reply = OperationReply<typeof operations.identity.verifyEmail>;
type VerifyEmailNeeds = FinishSignInNeeds & Pick<Deps, "limits">;

/** An opened verification link, by GET or by the form of its page. */
interface OpenedLink {
  token: string;
  callbackURL: string | undefined;
  caller: Caller;
  isPosted: boolean;
}

/** A valid link with its user and the session in which it was opened. */
interface GoodLink {
  user: UserRow;
  claims: VerificationClaims;
  /** The user's own session, unless it is an impersonation. */
  own: LiveSession | undefined;
  /** The browser has a session of another user. */
  isOthers: boolean;
  use: LinkUse;
}

const linkErrors = {
  token_expired: "LINK_TOKEN_EXPIRED",
  invalid_token: "LINK_INVALID_TOKEN",
  user_not_found: "LINK_USER_NOT_FOUND",
  unauthorized: "LINK_UNAUTHORIZED",
  two_factor_required: "TWO_FACTOR_REQUIRED",
  too_many_sessions: "TOO_MANY_SESSIONS",
} as const satisfies Record<string, ErrorCode>;

type Refusal = keyof typeof linkErrors;

const redirectTo = (redirect: string, { isPosted }: OpenedLink) =>
  ({ redirect, status: isPosted ? 303 : 302 }) as const;

const answer = (
  opened: OpenedLink,
  { user = null, effect }: { user?: User | null; effect?: SessionEffect | undefined } = {},
): LinkAnswer<Reply> =>
  opened.callbackURL
    ? { ...redirectTo(opened.callbackURL, opened), effect }
    : { reply: { status: true, user }, effect };

/** Answers a link whose sign-in needs a second factor. */
const answerChallenge = (
  deps: VerifyEmailNeeds,
  opened: OpenedLink,
  { challenge, effect }: Extract<SignInOutcome, { kind: "challenge" }>,
): LinkAnswer<Reply> =>
  opened.callbackURL
    ? { ...redirectTo(challengeRedirect(deps, challenge, opened.callbackURL), opened), effect }
    : { reply: challenge, effect };

const refuse = (opened: OpenedLink, reason: Refusal): LinkAnswer<Reply> => {
  if (!opened.callbackURL) throw new WireError(linkErrors[reason]);
  return redirectTo(setQuery(opened.callbackURL, { error: reason }), opened);
};

/**
 * If the option is on, signs in or reissues the caller's own session. A link does not sign another user out of their own
 * account, because it may be of an account that an attacker registered.
 */
const signIn = async (
  deps: VerifyEmailNeeds,
  opened: OpenedLink,
  { user, own, isOthers }: Pick<GoodLink, "user" | "own" | "isOthers">,
): Promise<LinkAnswer<Reply>> => {
  const { caller } = opened;
  const isOtherUsers = isOthers && caller.opening !== "call" && deps.config.inertLinks !== "off";
  if (!deps.config.emailVerification.autoSignInAfterVerification) return answer(opened);
  if (own) {
    const live = { ...own, user: deps.showUser(user), epoch: user.revision };
    return answer(opened, { effect: reissue(deps, live) });
  }
  if (isOtherUsers) return answer(opened);
  const remember = !caller.browserSession;
  const outcome = await finishSignIn(deps, {
    user,
    method: "magic-link",
    caller,
    remember,
  }).catch((error: unknown) => {
    const code = error instanceof WireError ? error.code : undefined;
    if (code === "TWO_FACTOR_REQUIRED" && opened.callbackURL) return "two_factor_required" as const;
    if (code === "TOO_MANY_SESSIONS") return "too_many_sessions" as const;
    throw error;
  });
  if (typeof outcome === "string") return refuse(opened, outcome);
  if (!outcome) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  return outcome.kind === "challenge"
    ? answerChallenge(deps, opened, outcome)
    : answer(opened, { effect: outcome.effect });
};

const change = async (
  deps: VerifyEmailNeeds,
  opened: OpenedLink,
  { user, own, use, updateTo }: GoodLink & { updateTo: string },
): Promise<LinkAnswer<Reply>> => {
  if (!own) return refuse(opened, "unauthorized");
  const { callbackURL, caller } = opened;
  const { consume } = use;
  const replaced = await replaceEmail(deps, { user, updateTo, callbackURL, caller, own, consume });
  if (!replaced) return refuse(opened, "invalid_token");
  return answer(opened, { user: toUser(replaced.user), effect: replaced.effect });
};

const verify = async (
  deps: VerifyEmailNeeds,
  opened: OpenedLink,
  { user, claims, own, isOthers, use: { consume } }: GoodLink,
): Promise<LinkAnswer<Reply>> => {
  const { caller } = opened;
  await deps.config.emailVerification.onEmailVerification?.(toUser(user));
  const isHolder = own !== undefined || (claims.byUser && isBrowserOf(caller, claims.browser));
  const marked = await markByLink(deps, { user, caller, byLinkAlone: !isHolder, consume });
  if (!marked) return refuse(opened, "invalid_token");
  if (!marked.isChange) return answer(opened);
  return signIn(deps, opened, { user: marked.user, own, isOthers });
};

/** Returns the confirmation page. It says whether confirming signs in, and whether it needs a session of the user first. */
const confirmFirst = (
  { config }: Pick<Deps, "config">,
  { user: { email }, claims: { updateTo }, own, isOthers }: GoodLink,
): LinkAnswer<Reply> => {
  const signsIn = config.emailVerification.autoSignInAfterVerification && !own && !isOthers;
  const masked = maskAddress(email);
  return updateTo === undefined
    ? { question: { act: "verify", email: masked, signsIn } }
    : {
        question: {
          act: own ? "change" : "change-elsewhere",
          email: masked,
          newEmail: maskAddress(updateTo),
        },
      };
};

const open = async (deps: VerifyEmailNeeds, opened: OpenedLink): Promise<LinkAnswer<Reply>> => {
  const { token, caller, isPosted } = opened;
  const claims = await verifyVerificationToken(deps.ring, token, new Date(deps.clock()));
  if (!claims.ok) return refuse(opened, claims.reason);
  const user = await findUser(deps, { email: claims.email });
  if (!user) return refuse(opened, "user_not_found");
  const { updateTo } = claims;
  if (updateTo === undefined && user.emailVerified) return answer(opened); // verified already
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  const isTheirs = current?.user.id === user.id;
  const own = isTheirs && !current.session.impersonatedBy ? current : undefined;
  const lacksSession = updateTo !== undefined && !own;
  const isAsker = own !== undefined || isBrowserOf(caller, claims.browser);
  const acts = isPosted || mayAct(deps.config, caller, isAsker && !lacksSession);
  if (lacksSession && acts) return refuse(opened, "unauthorized");
  const use = useVerificationLink(deps, { ...claims, token }, user.id);
  if (!(await use.isGood())) {
    const isVerified = updateTo === undefined && (await findVerified(deps, user)); // verified by now
    return isVerified ? answer(opened) : refuse(opened, "invalid_token");
  }
  const isOthers = current !== undefined && !own;
  const good: GoodLink = { user, claims, own, isOthers, use };
  if (!acts) return confirmFirst(deps, good);
  return updateTo === undefined
    ? verify(deps, opened, good)
    : change(deps, opened, { ...good, updateTo });
};

/**
 * Opens a mailed verification link, which acts once. Errors go to the callback URL, or into the reply if there is none.
 * In another browser than the requesting one, the link shows a confirmation page first.
 */
export const verifyEmail: LinkHandler<"verifyEmail"> = (deps, { caller, query }) =>
  open(deps, { token: query.token, callbackURL: query.callbackURL, caller, isPosted: false });

/** Performs a verification link's action, submitted by its page or by the application's own code. */
export const verifyEmailPost: LinkHandler<"verifyEmailPost"> = (deps, { caller, body }) =>
  open(deps, { token: body.token, callbackURL: body.callbackURL, caller, isPosted: true });
