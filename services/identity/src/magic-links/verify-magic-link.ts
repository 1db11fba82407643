import {
  type Caller,
  type ErrorCode,
  type OperationReply,
  type operations,
  wireCode,
  WireError,
} from "@latchkey/contracts";
import { constantTimeEqual } from "@latchkey/crypto";
import type { Call, LinkAnswer } from "@latchkey/service-kit";
import { finishMailedSignIn } from "../mailed-sign-in/finish-mailed-sign-in.ts";
import {
  resolveMailedUser,
  type ResolveMailedNeeds,
} from "../mailed-sign-in/resolve-mailed-user.ts";
import { browserHash } from "../one-time-tokens/link-browser.ts";
import { maskAddress } from "../one-time-tokens/mask-address.ts";
import { mayAct } from "../one-time-tokens/may-act.ts";
import { challengeRedirect } from "../second-factor/challenge-redirect.ts";
import { addQuery } from "../sign-in/add-query.ts";
import type { FinishSignInNeeds } from "../sign-in/finish-sign-in.ts";
import { refusalReasonOf } from "../refused-sign-ins/refusal-reason.ts";
import { recordRefusal } from "../statistics/count-refusal.ts";
import { proposeUser } from "../users/register-user.ts";
import { type MagicLink, readMagicLink, useMagicLink } from "./magic-link.ts";

type Reply = OperationReply<typeof operations.identity.verifyMagicLink>;
type Needs = FinishSignInNeeds & ResolveMailedNeeds;

interface OpenedLink {
  token: string;
  callbackURL?: string | undefined;
  newUserCallbackURL?: string | undefined;
  errorCallbackURL?: string | undefined;
  caller: Caller;
  isPosted: boolean;
}

/** Locations are absolute, as existing clients receive them. */
const redirectTo = ({ caller, isPosted }: OpenedLink, place: string) =>
  ({
    redirect: place.startsWith("/") ? new URL(place, caller.baseUrl).href : place,
    status: isPosted ? 303 : 302,
  }) as const;

/** The words for errors in a redirect that are not the error's own code. */
const errorWords: Partial<Record<ErrorCode, string>> = {
  BANNED_USER: "banned",
  SIGNUP_DISABLED: "new_user_signup_disabled",
  FAILED_TO_CREATE_USER: "failed_to_create_user",
  FAILED_TO_CREATE_SESSION: "failed_to_create_session",
  TWO_FACTOR_REQUIRED: "two_factor_required",
};

/** Sends an error to the error page of the link, or throws it if there is none. */
const refuse = (opened: OpenedLink, error: WireError): LinkAnswer<Reply> => {
  const place = opened.errorCallbackURL || opened.callbackURL;
  if (!place || error.code === "SERVICE_UNAVAILABLE") throw error;
  const word = errorWords[error.code] ?? wireCode(error.code, error.message);
  return redirectTo(opened, addQuery(place, { error: word }));
};

const invalidToken = () => new WireError("MAGIC_LINK_INVALID_TOKEN");

/** Returns whether the caller is the browser that requested the link. */
const isAsker = ({ kept }: Caller, { browser }: MagicLink): boolean =>
  kept?.magicLink !== undefined && constantTimeEqual(browserHash(kept.magicLink), browser);

const mayActAtOnce = ({ config }: Needs, { caller }: OpenedLink, link: MagicLink): boolean =>
  caller.opening !== "prefetch" &&
  (config.magicLink.sameBrowser === "off" || mayAct(config, caller, isAsker(caller, link)));

const propose = async (deps: Needs, { email, name }: MagicLink) => {
  if (deps.config.magicLink.disableSignUp) throw new WireError("SIGNUP_DISABLED");
  const extra = await deps.fields.user.read({ values: {}, mode: "create" });
  return proposeUser(deps, { name, email, emailVerified: true, image: null, extra });
};

const signIn = async (
  deps: Needs,
  opened: OpenedLink,
  link: MagicLink,
): Promise<LinkAnswer<Reply>> => {
  const { token, caller } = opened;
  const { email } = link;
  const resolved = await resolveMailedUser(deps, {
    email,
    caller,
    propose: () => propose(deps, link),
    consume: (trx) => useMagicLink(deps, trx, { token, email }),
  });
  if (!resolved) throw invalidToken();
  const { user, isNew } = resolved;
  const outcome = await finishMailedSignIn(deps, { user, method: "magic-link", caller });
  const { effect } = outcome;
  const { callbackURL, newUserCallbackURL } = opened;
  const place = callbackURL && isNew ? newUserCallbackURL || callbackURL : callbackURL;
  if (outcome.kind === "challenge")
    return place
      ? { ...redirectTo(opened, challengeRedirect(deps, outcome.challenge, place)), effect }
      : { reply: outcome.challenge, effect };
  const { session, user: shown } = outcome.session;
  const reply = { token: outcome.session.token, user: shown, session };
  return place ? { ...redirectTo(opened, place), effect } : { reply, effect };
};

const open = async (deps: Needs, opened: OpenedLink): Promise<LinkAnswer<Reply>> => {
  const { token, caller, isPosted } = opened;
  const link = await readMagicLink(deps, token);
  if (!link) return refuse(opened, invalidToken());
  const email = maskAddress(link.email);
  const isElsewhere = deps.config.magicLink.sameBrowser === "require" && !isAsker(caller, link);
  if (isElsewhere && (isPosted || caller.opening === "call")) return refuse(opened, invalidToken());
  if (isElsewhere) return { question: { act: "sign-in-elsewhere", email } };
  if (!isPosted && !mayActAtOnce(deps, opened, link))
    return { question: { act: "sign-in", email } };
  try {
    return await signIn(deps, opened, link);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const answer = refuse(opened, error);
    recordRefusal(deps, caller, refusalReasonOf(error)); // a thrown one is recorded by its catcher
    return answer;
  }
};

/**
 * Opens a mailed sign-in link, which works once. Errors go to the error page, or into the reply if there is none. In another browser
 * than the requesting one, the link shows a confirmation page first, because programs that scan mails follow links too.
 */
export const verifyMagicLink = (
  deps: Needs,
  { caller, query }: Call<typeof operations.identity.verifyMagicLink>,
): Promise<LinkAnswer<Reply>> => open(deps, { ...query, caller, isPosted: false });

/** Signs in by a link, submitted by its page or by the application's own code. */
export const verifyMagicLinkPost = (
  deps: Needs,
  { caller, body }: Call<typeof operations.identity.verifyMagicLinkPost>,
): Promise<LinkAnswer<Reply>> => open(deps, { ...body, caller, isPosted: true });
