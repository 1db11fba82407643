import {
  demandSecondFactor,
  type DemandSecondFactorNeeds,
  type SecondFactorDemand,
} from "../second-factor/demand-second-factor.ts";
import { isSkipped } from "../second-factor/requirement.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { nameAttemptedUser } from "./attempted-user.ts";
import type { FirstFactor } from "./first-factor.ts";

export type FinishSignInNeeds = CreateSessionNeeds & DemandSecondFactorNeeds;

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
  if (!enabled || twoFactorEnabled || isBothFactors || isSkipped(deps.config, method))
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
  const { user, method, caller, remember, isStillGranted, isBothFactors } = factor;
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
  const { effect } = session;
  return {
    kind: "session",
    session,
    effect: demand.keeps ? { ...effect, keeps: demand.keeps } : effect,
  };
};
