import {
  type Caller,
  type OperationReply,
  type operations,
  type ErrorCode,
  type KeptChanges,
  wireCode,
  WireError,
} from "@latchkey/contracts";
import { randomToken, seal, constantTimeEqual } from "@latchkey/crypto";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import { landingPlace, type LinkAnswer, setQuery } from "@latchkey/service-kit/http";
import { type GuestHolder, noGuest } from "../access/link-guest.ts";
import type { Deps, Handler, CallOf, LinkHandler } from "../deps.ts";
import { browserHash, maskAddress, mayAct } from "../secrets/mailed-links.ts";
import { findUser } from "../users/find-users.ts";
import { isPlaceholderEmail, mailLocaleOf, addressSubject } from "../users/email.ts";
import { type UserRow, isBanned } from "../users/user-row.ts";
import {
  proposeMagicLink,
  type MagicLink,
  readMagicLink,
  useMagicLink,
} from "../secrets/magic-link.ts";
import {
  findEndingMethods,
  resolveMailedUser,
  type ResolveMailedNeeds,
} from "./resolve-mailed-user.ts";
import { lacksFields, storePendingSignUp } from "../social/pending-sign-up.ts";
import {
  challengeRedirect,
  type FinishSignInNeeds,
  finishMailedSignIn,
} from "../sign-in/finish-sign-in.ts";

import { refusalReasonOf } from "../refused-sign-ins/refusal-tally.ts";
import { recordRefusal } from "../statistics/count-refusal.ts";
import { proposeUser } from "../accounts/register-user.ts";

type Needs = Pick<
  Deps,
  "clock" | "config" | "db" | "limits" | "logger" | "newEventId" | "newId" | "ring" | "wakeRelay"
>;

const browserLength = 32;

/** Returns whether an address is mailed a link. */
const isDue = ({ clock, config }: Needs, email: string, user: UserRow | undefined): boolean =>
  !isPlaceholderEmail(email) && (user ? !isBanned(user, clock()) : !config.magicLink.disableSignUp);

const urlOf = (
  { config: { appURL } }: Needs,
  { body, caller }: { body: CallOf<"signInMagicLink">["body"]; caller: Caller },
  token: string,
): string => {
  const query = new URLSearchParams({
    token,
    // Every mailed link has a callbackURL, because a request without one counts as a call of the client (ADR 47).
    callbackURL: landingPlace(appURL, caller, body.callbackURL) ?? "/",
  });
  for (const name of ["newUserCallbackURL", "errorCallbackURL"] as const) {
    const place = body[name];
    if (place) query.set(name, landingPlace(appURL, caller, place));
  }
  return `${caller.baseUrl}/magic-link/verify?${query.toString()}`;
};

/**
 * Mails a link that signs in. An address may be known, unknown, banned or over its limit of mails. Status, body and work are the
 * same, so neither the reply nor its time reveals which. The browser keeps a value by which the link recognizes it.
 */
export const signInMagicLink: Handler<"signInMagicLink"> = async (deps, { body, caller }) => {
  const { email } = body;
  const user = await findUser(deps, { email });
  const value = caller.kept?.magicLink ?? randomToken(browserLength, "alphanumeric");
  const browser = browserHash(value);
  const link = { email, name: body.name ?? "", browser };
  const { token, expiresAt, store, imitate } = await proposeMagicLink(deps, link);
  const data = {
    ...(await mailLocaleOf(deps.db, { userId: user?.id, caller })),
    ...(user ? { userId: user.id } : {}),
    email,
    // Never the name in the request, because a stranger may have chosen it.
    name: user?.name ?? "",
    url: urlOf(deps, { body, caller }, token),
    expiresAt: expiresAt.toISOString(),
  };
  const wantsMail = isDue(deps, email, user);
  await deps.db.transaction().execute(async (trx) => {
    const countsFor = wantsMail ? "users" : "nobody";
    const isWithin = await deps.limits.countSignInMail(trx, { email, countsFor, beyond: "drop" });
    const isMailed = wantsMail && isWithin;
    if (isMailed) {
      await store(trx);
      await appendEvent(trx, deps, { name: "sign-in-link.requested", data });
    } else {
      await imitate(trx);
      seal(deps.ring, "event", JSON.stringify(data));
    }
    await appendAudit(trx, deps, {
      actor: { kind: "anonymous" },
      subject: user ? { kind: "user", id: user.id } : addressSubject(deps.ring, email),
      action: isMailed ? "sign-in-link.requested" : "sign-in-link.refused",
      outcome: isMailed ? "success" : "refused",
      caller,
    });
  });
  deps.wakeRelay();
  const maxAgeSeconds = deps.config.magicLink.expiresIn;
  const effect = { kind: "keep", keeps: { magicLink: { value, maxAgeSeconds } } } as const;
  return { reply: { status: true }, effect };
};

type Reply = OperationReply<typeof operations.identity.verifyMagicLink>;
type VerifyMagicLinkNeeds = FinishSignInNeeds & ResolveMailedNeeds;

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
  TOO_MANY_SESSIONS: "too_many_sessions",
};

/** Sends an error to the error page of the link, or throws it if there is none. */
const refuse = (opened: OpenedLink, error: WireError): LinkAnswer<Reply> => {
  const place = opened.errorCallbackURL || opened.callbackURL;
  if (!place || error.code === "SERVICE_UNAVAILABLE") throw error;
  const word = errorWords[error.code] ?? wireCode(error.code, error.message);
  return redirectTo(opened, setQuery(place, { error: word }));
};

const invalidToken = () => new WireError("MAGIC_LINK_INVALID_TOKEN");

/** Returns whether the caller is the browser that requested the link. */
const isAsker = ({ kept }: Caller, { browser }: MagicLink): boolean =>
  kept?.magicLink !== undefined && constantTimeEqual(browserHash(kept.magicLink), browser);

/**
 * Returns whether the link hands the guest of the caller's browser over. One that another browser has requested does not: an attacker could
 * send a link of their own address, and so get what belongs to the guest.
 */
const handsGuestOver = (caller: Caller, link: MagicLink): boolean =>
  caller.opening === "call" || isAsker(caller, link);

const mayActAtOnce = (
  { config }: VerifyMagicLinkNeeds,
  { caller }: OpenedLink,
  link: MagicLink,
): boolean =>
  caller.opening !== "prefetch" &&
  (config.magicLink.sameBrowser === "off" || mayAct(config, caller, isAsker(caller, link)));

/**
 * Returns the sign-in methods that the link deletes. The page names them before, also in the requesting browser. Calls of the
 * application act at once, and so does every link if the operator has chosen that.
 */
const findEnding = async (
  deps: VerifyMagicLinkNeeds,
  { caller }: OpenedLink,
  { email }: MagicLink,
) => {
  const { inertLinks, magicLink } = deps.config;
  const actsAlways = magicLink.sameBrowser === "off" || inertLinks === "off";
  return caller.opening === "call" || actsAlways ? [] : findEndingMethods(deps, email);
};

const propose = async (
  deps: VerifyMagicLinkNeeds,
  { email, name }: MagicLink,
  guest: GuestHolder,
) => {
  if (deps.config.magicLink.disableSignUp) throw new WireError("SIGNUP_DISABLED");
  const extra = await deps.fields.user.read({ values: {}, mode: "create" });
  return proposeUser(deps, {
    caller: guest,
    name,
    email,
    emailVerified: true,
    image: null,
    extra,
  });
};

const signIn = async (
  deps: VerifyMagicLinkNeeds,
  opened: OpenedLink,
  link: MagicLink,
): Promise<LinkAnswer<Reply>> => {
  const { token, caller } = opened;
  const { email } = link;
  const guest = handsGuestOver(caller, link) ? caller : noGuest;
  const resolved = await resolveMailedUser(deps, {
    email,
    caller,
    propose: () => propose(deps, link, guest),
    consume: (trx) => useMagicLink(deps, trx, { token, email }),
  });
  if (!resolved) throw invalidToken();
  const { user, isNew } = resolved;
  const outcome = await finishMailedSignIn(deps, { user, method: "magic-link", caller, guest });
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

/** Uses the link up, and keeps its sign-up in the browser until the missing fields are sent. */
const storeSignUp = (
  deps: VerifyMagicLinkNeeds,
  { token, caller }: OpenedLink,
  link: MagicLink,
): Promise<KeptChanges | undefined> =>
  deps.db.transaction().execute(async (trx) => {
    const { email, name } = link;
    if (!(await useMagicLink(deps, trx, { token, email }))) return undefined;
    const pending = { email, name, handsGuestOver: handsGuestOver(caller, link) };
    return storePendingSignUp(deps, trx, { kind: "magic-link", ...pending });
  });

const open = async (deps: VerifyMagicLinkNeeds, opened: OpenedLink): Promise<LinkAnswer<Reply>> => {
  const { token, caller, isPosted } = opened;
  const link = await readMagicLink(deps, token);
  if (!link) return refuse(opened, invalidToken());
  const email = maskAddress(link.email);
  const isElsewhere = deps.config.magicLink.sameBrowser === "require" && !isAsker(caller, link);
  if (isElsewhere && (isPosted || caller.opening === "call")) return refuse(opened, invalidToken());
  if (isElsewhere) return { question: { act: "sign-in-elsewhere", email } };
  if (!isPosted) {
    const ends = await findEnding(deps, opened, link);
    if (ends.length > 0) return { question: { act: "sign-in", email, ends } };
    if (!mayActAtOnce(deps, opened, link)) return { question: { act: "sign-in", email } };
  }
  try {
    return await signIn(deps, opened, link);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const answer = refuse(opened, error);
    const keeps = lacksFields(error) ? await storeSignUp(deps, opened, link) : undefined;
    recordRefusal(deps, caller, refusalReasonOf(error)); // a thrown one is recorded by its catcher
    return keeps ? { ...answer, effect: { kind: "keep", keeps } } : answer;
  }
};

/**
 * Opens a mailed sign-in link, which works once. Errors go to the error page, or into the reply if there is none. In another browser
 * than the requesting one, the link shows a confirmation page first, because programs that scan mails follow links too.
 */
export const verifyMagicLink: LinkHandler<"verifyMagicLink"> = (deps, { caller, query }) =>
  open(deps, { ...query, caller, isPosted: false });

/** Signs in by a link, submitted by its page or by the application's own code. */
export const verifyMagicLinkPost: LinkHandler<"verifyMagicLinkPost"> = (deps, { caller, body }) =>
  open(deps, { ...body, caller, isPosted: true });
