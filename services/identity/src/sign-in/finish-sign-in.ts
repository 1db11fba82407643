import {
  demandSecondFactor,
  type DemandSecondFactorNeeds,
  type SecondFactorDemand,
} from "../second-factor/demand-second-factor.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import type { FirstFactor } from "./first-factor.ts";

export type FinishSignInNeeds = CreateSessionNeeds & DemandSecondFactorNeeds;

/** The end of a sign-in: a session, or the request for a second factor. */
export type SignInOutcome =
  | { kind: "session"; session: NewSession; effect: NewSession["effect"] }
  | Extract<SecondFactorDemand, { kind: "challenge" }>;

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
  const demand = await demandSecondFactor(deps, factor);
  if (!demand) return undefined;
  if (demand.kind === "challenge") return demand;
  const session = await createSession(deps, user, {
    caller,
    remember,
    isStillGranted,
    proof: {
      methods: [method, ...demand.methods],
      secondFactorAt: isBothFactors ? new Date(deps.clock()) : demand.secondFactorAt,
    },
  });
  if (!session) return undefined;
  const { effect } = session;
  return {
    kind: "session",
    session,
    effect: demand.keeps ? { ...effect, keeps: demand.keeps } : effect,
  };
};
