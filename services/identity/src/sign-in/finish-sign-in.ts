import {
  type Caller,
  type ErrorCode,
  isExempt,
  WireError,
  type KeptChanges,
  type AuthenticationMethod,
  type SessionEffect,
  type TwoFactorChallenge,
} from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import { setQuery } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import { rememberBrowser } from "../secrets/mailed-links.ts";
import {
  requestVerification,
  type RequestVerificationNeeds,
} from "../email-verification/request-verification.ts";
import type { UserRow } from "../users/user-row.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
  type SessionStart,
} from "../sessions/create-session.ts";
import {
  findGuestId,
  type GuestHolder,
  linkGuest,
  type LinkGuestNeeds,
} from "../access/link-guest.ts";
import { findUser } from "../users/find-users.ts";
import { findPlace, giveSlots, loginMethodOf } from "../sessions/device-sessions.ts";
import { lockSessionHolder } from "../sessions/queries.ts";
import { liftExpiredBan } from "../users/lift-expired-ban.ts";
import type { ChangeUserNeeds } from "../users/change-user.ts";
import { deleteChallenge, insertChallenge } from "../rows/challenges.ts";
import { passableMethods } from "../second-factor/offered-methods.ts";
import { isRequired } from "../sessions/requirement.ts";
import { forgetTrust, useTrustedDevice } from "../second-factor/trusted-devices.ts";
import { nameAttemptedUser } from "../refused-sign-ins/attempted-user.ts";

interface UnverifiedRefusal {
  caller: Caller;
  /** Destination of the mailed link. */
  callbackURL: string | undefined;
  error: ErrorCode;
}

/**
 * Rejects a user with the right password but an unverified address. Mails a fresh link if mails are on and the mailbox's
 * limit allows it.
 */
export const refuseUnverified = async (
  deps: RequestVerificationNeeds & Pick<Deps, "db" | "wakeRelay">,
  user: UserRow,
  { caller, callbackURL, error }: UnverifiedRefusal,
): Promise<never> => {
  if (!deps.config.emailVerification.enabled) throw new WireError(error);
  const actor = { kind: "user", id: user.id } as const;
  const { browser, effect } = rememberBrowser(deps, caller);
  const request = { user, callbackURL, caller, actor, browser, beyond: "drop" } as const;
  const { publish } = await requestVerification(deps, request);
  await deps.db.transaction().execute(publish);
  deps.wakeRelay();
  throw new WireError(error, { effect });
};

export type FinishSignInNeeds = CreateSessionNeeds & DemandSecondFactorNeeds & LinkGuestNeeds;

/** The end of a sign-in: a session, or the request for a second factor. */
export type SignInOutcome =
  | { kind: "session"; session: NewSession; effect: NewSession["effect"] }
  | Extract<SecondFactorDemand, { kind: "challenge" }>;

/**
 * Returns the user if their second factor was switched on after the sign-in had read them. That ended their other sessions, but missed the
 * one that has just started.
 */
const findSwitchedOn = async (
  deps: FinishSignInNeeds,
  { user: { id, twoFactorEnabled }, method, isBothFactors }: FirstFactor,
): Promise<UserRow | undefined> => {
  const { enabled } = deps.config.twoFactor;
  if (!enabled || twoFactorEnabled || isBothFactors || isExempt(deps.config.twoFactor, method))
    return undefined;
  const current = await findUser(deps, { id });
  return current?.twoFactorEnabled ? current : undefined;
};

/**
 * Ends every sign-in: starts the session, or asks for the second factor. Nothing that opens a session exists before this has decided.
 * Returns undefined if the application's hook vetoes the session or the user was deleted. Throws `BANNED_USER` and
 * `TWO_FACTOR_REQUIRED`.
 */
export const finishSignIn = async (
  deps: FinishSignInNeeds,
  factor: FirstFactor,
): Promise<SignInOutcome | undefined> => {
  const { user, method, caller, guest = caller, remember, isStillGranted, isBothFactors } = factor;
  nameAttemptedUser(caller, user.id);
  const demand = await demandSecondFactor(deps, factor);
  if (!demand) return undefined;
  if (demand.kind === "challenge") return demand;
  let switchedOn: UserRow | undefined;
  const session = await createSession(deps, user, {
    caller,
    remember,
    isStillGranted: async () => {
      if (!((await isStillGranted?.()) ?? true)) return false;
      switchedOn = await findSwitchedOn(deps, factor);
      return switchedOn === undefined;
    },
    proof: {
      methods: [method, ...demand.methods],
      secondFactorAt: isBothFactors ? new Date(deps.clock()) : demand.secondFactorAt,
    },
  });
  if (switchedOn) return finishSignIn(deps, { ...factor, user: switchedOn });
  if (!session) return undefined;
  await linkGuest(deps, { user, guestId: await findGuestId(deps, guest), caller });
  const { effect } = session;
  return {
    kind: "session",
    session,
    effect: demand.keeps ? { ...effect, keeps: { ...effect.keeps, ...demand.keeps } } : effect,
  };
};

type DemandSecondFactorNeeds = ChangeUserNeeds & CreateSessionNeeds & Pick<Deps, "db">;

/** Whether a sign-in needs a second factor. */
type SecondFactorDemand =
  | {
      kind: "none";
      /** Methods that stood in for a second factor, such as a trusted device. */
      methods: readonly AuthenticationMethod[];
      secondFactorAt?: Date;
      keeps?: KeptChanges;
    }
  | {
      kind: "challenge";
      challenge: TwoFactorChallenge;
      /** Keeps the sign-in. Clears the browser's session, unless that is of the guest who signs in. */
      effect: Extract<SessionEffect, { kind: "clear" | "keep" }>;
    };

const valueLength = 32;
const none: SecondFactorDemand = { kind: "none", methods: [] };

/**
 * Stores the sign-in, and returns the guest who signs in. A change of the password or of the sign-in methods ends the sign-in. A later change
 * waits for the lock of the user and deletes the row. After an earlier one, the first factor is no longer granted: returns undefined.
 */
const storeChallenge = async (
  deps: DemandSecondFactorNeeds,
  { user, method, remember, isStillGranted, caller, guest = caller }: FirstFactor,
  { tokenHash, purpose }: { tokenHash: Buffer; purpose: "enrol" | "verify" },
): Promise<{ guestId: string | null } | undefined> => {
  const createdAt = new Date(deps.clock());
  const lifetimeSeconds = deps.config.twoFactor.twoFactorCookieMaxAge;
  const guestId = (await findGuestId(deps, guest)) ?? null;
  const isStored = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockSessionHolder(trx, user.id, { now: createdAt, isAlone: true }))) return false;
    await insertChallenge(trx, {
      tokenHash,
      userId: user.id,
      purpose,
      method,
      guestId,
      remember,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + lifetimeSeconds * 1000),
    });
    return true;
  });
  if (!isStored) return undefined;
  if ((await isStillGranted?.()) ?? true) return { guestId };
  await deleteChallenge(deps.db, tokenHash);
  return undefined;
};

const challenge = async (
  deps: DemandSecondFactorNeeds,
  factor: FirstFactor,
  reply: TwoFactorChallenge,
): Promise<SecondFactorDemand | undefined> => {
  const { caller, guest = caller, method, user } = factor;
  // The browser has no active session until the second factor was passed, and may then have room for none.
  const place = await findPlace(deps, caller, user.id);
  const value = randomToken(valueLength, "urlSafe");
  const purpose = reply.twoFactorEnrolment ? "enrol" : "verify";
  const stored = await storeChallenge(deps, factor, { tokenHash: hashToken(value), purpose });
  if (!stored) return undefined;
  const maxAgeSeconds = deps.config.twoFactor.twoFactorCookieMaxAge;
  // Only a password uses the trust, so the user's own value has ended. After other methods it may still be good.
  const ended = method === "password" ? forgetTrust(deps, { userId: user.id, caller }) : undefined;
  const keeps: KeptChanges = { twoFactor: { value, maxAgeSeconds }, ...ended };
  const sessions = place && [...place.others, ...place.formers];
  const signedInBy = loginMethodOf(deps, caller, [method]);
  const staysGuest = stored.guestId !== null && guest.sessionToken === caller.sessionToken;
  const effect = {
    kind: staysGuest ? "keep" : "clear", // a guest who gives up is still the guest
    keeps,
    ...(sessions ? { deviceSessions: giveSlots(deps, caller, sessions).changes } : {}),
    ...(signedInBy === undefined ? {} : { signedInBy }),
  } as const;
  return { kind: "challenge", challenge: reply, effect };
};

/** Lets a trusted browser in, or asks for the second factor of a user who has one. */
const demandOwn = async (
  deps: DemandSecondFactorNeeds,
  factor: FirstFactor,
): Promise<SecondFactorDemand | undefined> => {
  const { user, caller, method } = factor;
  // A banned user must learn of the ban, and nothing of the second factor.
  await liftExpiredBan(deps, user, caller);
  const trusted =
    method === "password" ? await useTrustedDevice(deps, { userId: user.id, caller }) : undefined;
  if (trusted) {
    const { passedAt: secondFactorAt, keeps } = trusted;
    return { kind: "none", methods: ["trusted-device"], secondFactorAt, keeps };
  }
  const twoFactorMethods = await passableMethods(deps, { userId: user.id, shown: [method] });
  if (!twoFactorMethods) throw new WireError("TWO_FACTOR_REQUIRED");
  return challenge(deps, factor, { twoFactorRedirect: true, twoFactorMethods });
};

/** Asks a user to set up the second factor that the installation requires. */
const demandEnrolment = async (
  deps: DemandSecondFactorNeeds,
  factor: FirstFactor,
): Promise<SecondFactorDemand | undefined> => {
  await liftExpiredBan(deps, factor.user, factor.caller);
  return challenge(deps, factor, {
    twoFactorRedirect: true,
    twoFactorMethods: [],
    twoFactorEnrolment: true,
  });
};

/**
 * Decides whether a sign-in needs a second factor, and if so stores the sign-in until that is passed. Decides for users without a second
 * factor from the row that was read already. Returns undefined if the user was deleted or the first factor is no longer granted. Throws
 * `BANNED_USER`, and `TWO_FACTOR_REQUIRED` if the user has no second factor that counts after this sign-in method.
 */
const demandSecondFactor = async (
  deps: DemandSecondFactorNeeds,
  factor: FirstFactor,
): Promise<SecondFactorDemand | undefined> => {
  const { user, isBothFactors } = factor;
  const { config } = deps;
  if (!config.twoFactor.enabled || isBothFactors || isExempt(config.twoFactor, factor.method))
    return none;
  if (user.twoFactorEnabled) return demandOwn(deps, factor);
  return isRequired(config, user, deps.clock()) ? demandEnrolment(deps, factor) : none;
};

/** A user who has proven who they are by one sign-in method. */
interface FirstFactor extends Pick<SessionStart, "isStillGranted" | "remember"> {
  user: UserRow;
  method: AuthenticationMethod;
  caller: Caller;
  /** The session whose guest is handed over. Default: that of the caller. */
  guest?: GuestHolder;
  /** The method is two factors, as a passkey is that has verified its user. */
  isBothFactors?: boolean;
}

/** Returns where a redirecting sign-in continues with its second factor: at the configured page, or at the callback URL. */
export const challengeRedirect = (
  { config: { twoFactor } }: Pick<Deps, "config">,
  { twoFactorMethods, twoFactorEnrolment }: TwoFactorChallenge,
  callbackURL: string,
): string =>
  setQuery(twoFactor.pageURL ?? callbackURL, {
    twoFactorRedirect: "true",
    twoFactorMethods: twoFactorMethods.join(","),
    ...(twoFactorEnrolment ? { twoFactorEnrolment: "true" } : {}),
    ...(twoFactor.pageURL === undefined ? {} : { callbackURL }),
  });

/**
 * Finishes a sign-in by a mail, unless the address has left the user meanwhile. A browser with the marker of an unremembered session
 * gets an unremembered one again. Throws `BANNED_USER`, `TWO_FACTOR_REQUIRED` and `FAILED_TO_CREATE_SESSION`.
 */
export const finishMailedSignIn = async (
  deps: FinishSignInNeeds,
  factor: Pick<FirstFactor, "caller" | "guest" | "user"> & { method: "magic-link" | "email-otp" },
): Promise<SignInOutcome> => {
  const outcome = await finishSignIn(deps, {
    ...factor,
    remember: !factor.caller.browserSession,
    isStillGranted: async () =>
      (await findUser(deps, { email: factor.user.email }))?.id === factor.user.id,
  });
  if (!outcome) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  return outcome;
};
