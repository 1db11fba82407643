import type { Authentication, AuthenticationMethod } from "@latchkey/contracts";
import type { SessionAuthentication } from "@latchkey/service-kit";
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

/** Returns the names of the methods of a session. */
export const methodsOf = (
  authentication: Pick<SessionAuthentication, "methods"> | undefined,
): AuthenticationMethod[] =>
  (authentication?.methods.split(",") ?? []).filter(
    (name): name is AuthenticationMethod => name !== "",
  );

/** Returns the form that other services and functions of the application get. */
export const showAuthentication = ({
  authenticatedAt,
  secondFactorAt,
  methods,
}: SessionAuthentication): Authentication => ({
  authenticatedAt: authenticatedAt.toISOString(),
  secondFactorAt: secondFactorAt?.toISOString() ?? null,
  methods: methodsOf({ methods }),
});
