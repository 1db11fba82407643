import { type Caller, WireError } from "@latchkey/contracts";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";

/** A member who acts in an organization. */
export interface Acting {
  caller: Caller;
  session: ResolvedSession;
}

export type RequireSecondFactorNeeds = Pick<Deps, "clock" | "config">;

/** Thrown where it matters whether a session has passed a second factor, and the session cookie cache does not say. */
export class UnknownAuthenticationError extends Error {}

/**
 * Returns whether the session has passed a second factor, or the API key was made by somebody who had. Throws `UnknownAuthenticationError`
 * for a session from the cookie cache.
 */
export const hasPassedSecondFactor = ({ caller, session: { authentication } }: Acting): boolean => {
  if (caller.apiKeyId !== undefined) return caller.apiKeyHasSecondFactor === true;
  if (!authentication) throw new UnknownAuthenticationError();
  return authentication.secondFactorAt !== null;
};

interface Policy {
  secondFactorFrom: Date | null;
}

/** Returns whether an organization requires a second factor now. */
export const isSecondFactorInForce = (
  { clock, config }: RequireSecondFactorNeeds,
  { secondFactorFrom }: Policy,
): boolean =>
  config.twoFactor.enabled && secondFactorFrom !== null && secondFactorFrom.getTime() <= clock();

/**
 * Returns whether an organization requires a second factor that the session has not passed. Throws `UnknownAuthenticationError` if that
 * matters and is unknown.
 */
export const lacksSecondFactor = (
  deps: RequireSecondFactorNeeds,
  acting: Acting,
  policy: Policy,
): boolean => isSecondFactorInForce(deps, policy) && !hasPassedSecondFactor(acting);

/** Throws `TWO_FACTOR_REQUIRED` if the session lacks the second factor of an organization, and the error of `lacksSecondFactor`. */
export const requireSecondFactor = (
  deps: RequireSecondFactorNeeds,
  acting: Acting,
  policy: Policy,
): void => {
  if (lacksSecondFactor(deps, acting, policy)) throw new WireError("TWO_FACTOR_REQUIRED");
};

/**
 * Returns the time up to which an organization may have begun to require a second factor without refusing the session. It is a text for
 * Postgres, for statements that select by it.
 */
export const refusedUntil = (deps: RequireSecondFactorNeeds, acting: Acting): string =>
  !deps.config.twoFactor.enabled ||
  acting.caller.apiKeyHasSecondFactor ||
  acting.session.authentication?.secondFactorAt
    ? "-infinity"
    : new Date(deps.clock()).toISOString();
