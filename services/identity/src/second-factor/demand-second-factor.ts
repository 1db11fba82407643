import {
  type KeptChanges,
  type AuthenticationMethod,
  type SessionEffect,
  type TwoFactorChallenge,
  WireError,
} from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { lockSessionHolder } from "../sessions/queries.ts";
import type { FirstFactor } from "../sign-in/first-factor.ts";
import { liftExpiredBan } from "../users/lift-expired-ban.ts";
import type { ChangeUserNeeds } from "../users/change-user.ts";
import { deleteChallenge, insertChallenge } from "./challenge-queries.ts";
import { passableMethods } from "./offered-methods.ts";
import { isRequired, isSkipped } from "./requirement.ts";
import { useTrustedDevice } from "./trust-device.ts";

export type DemandSecondFactorNeeds = ChangeUserNeeds & Pick<Deps, "db">;

/** Whether a sign-in needs a second factor. */
export type SecondFactorDemand =
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
      /** Clears the browser's session and keeps the sign-in. */
      effect: Extract<SessionEffect, { kind: "clear" }>;
    };

const valueLength = 32;
const none: SecondFactorDemand = { kind: "none", methods: [] };

/**
 * Stores the sign-in. A change of the password or of the sign-in methods ends it: the change waits for the lock of the user and
 * then deletes the row, or it came first and the first factor is no longer granted. Returns false in that case.
 */
const storeChallenge = async (
  deps: DemandSecondFactorNeeds,
  { user, method, remember, isStillGranted }: FirstFactor,
  { tokenHash, purpose }: { tokenHash: Buffer; purpose: "enrol" | "verify" },
): Promise<boolean> => {
  const createdAt = new Date(deps.clock());
  const lifetimeSeconds = deps.config.twoFactor.twoFactorCookieMaxAge;
  const isStored = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockSessionHolder(trx, user.id, { now: createdAt, isAlone: true }))) return false;
    await insertChallenge(trx, {
      tokenHash,
      userId: user.id,
      purpose,
      method,
      remember,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + lifetimeSeconds * 1000),
    });
    return true;
  });
  if (!isStored) return false;
  if ((await isStillGranted?.()) ?? true) return true;
  await deleteChallenge(deps.db, tokenHash);
  return false;
};

const challenge = async (
  deps: DemandSecondFactorNeeds,
  factor: FirstFactor,
  reply: TwoFactorChallenge,
): Promise<SecondFactorDemand | undefined> => {
  const value = randomToken(valueLength, "urlSafe");
  const purpose = reply.twoFactorEnrolment ? "enrol" : "verify";
  const isStored = await storeChallenge(deps, factor, { tokenHash: hashToken(value), purpose });
  if (!isStored) return undefined;
  const maxAgeSeconds = deps.config.twoFactor.twoFactorCookieMaxAge;
  const { caller, method } = factor;
  // Only a password uses the trust, so it was no good for this user. After other methods it may still be.
  const holdsUnusedTrust = method === "password" && caller.kept?.trustedDevice !== undefined;
  const keeps: KeptChanges = {
    twoFactor: { value, maxAgeSeconds },
    ...(holdsUnusedTrust ? { trustedDevice: null } : {}),
  };
  return { kind: "challenge", challenge: reply, effect: { kind: "clear", keeps } };
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
export const demandSecondFactor = async (
  deps: DemandSecondFactorNeeds,
  factor: FirstFactor,
): Promise<SecondFactorDemand | undefined> => {
  const { user, isBothFactors } = factor;
  const { config } = deps;
  if (!config.twoFactor.enabled || isBothFactors || isSkipped(config, factor.method)) return none;
  if (user.twoFactorEnabled) return demandOwn(deps, factor);
  return isRequired(config, user, deps.clock()) ? demandEnrolment(deps, factor) : none;
};
