import type { AuthenticationMethod } from "@latchkey/contracts";
import { methodsOf, type SessionAuthentication } from "@latchkey/service-kit";
import type { AuthenticationChange, StoredSession } from "./store/session-store.ts";

/** How the user of a new session was authenticated. */
export interface Proof {
  methods: readonly AuthenticationMethod[];
  /** When the second factor was passed. Absent if it was not. */
  secondFactorAt?: Date | undefined;
  /** Default: now. */
  authenticatedAt?: Date | undefined;
}

/** Returns how the user of a stored session was authenticated. */
export const authenticationOf = ({
  authenticatedAt,
  secondFactorAt,
  methods,
  createdAt,
}: Pick<
  StoredSession,
  "authenticatedAt" | "createdAt" | "methods" | "secondFactorAt"
>): SessionAuthentication => ({
  authenticatedAt: authenticatedAt ?? createdAt,
  secondFactorAt,
  methods,
});

/** Returns the stored form of a proof. */
export const proofColumns = (
  { methods, secondFactorAt, authenticatedAt }: Proof,
  now: Date,
): AuthenticationChange => ({
  authenticatedAt: authenticatedAt ?? now,
  secondFactorAt: secondFactorAt ?? null,
  methods: [...new Set(methods)].join(","),
});

/**
 * Returns the proof of a session whose user has authenticated again. Methods and a second factor that were shown before are kept.
 */
export const extendedProof = (
  earlier: SessionAuthentication | undefined,
  { methods, authenticatedAt, secondFactorAt = earlier?.secondFactorAt ?? undefined }: Proof,
): Proof => ({
  methods: [...methodsOf(earlier), ...methods],
  secondFactorAt,
  authenticatedAt,
});
