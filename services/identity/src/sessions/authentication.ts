import type { AuthenticationMethod } from "@latchkey/contracts";
import { methodsOf, type SessionAuthentication } from "@latchkey/service-kit";
import type { UserRow } from "../users/user-row.ts";
import type { AuthenticationChange, StoredSession } from "./store/session-store.ts";

/** How the user of a new session was authenticated. */
export interface Proof {
  methods: readonly AuthenticationMethod[];
  /** When the second factor was passed. Absent if it was not. Null also forgets an earlier one. */
  secondFactorAt?: Date | null | undefined;
  /** Default: now. */
  authenticatedAt?: Date | undefined;
}

type Stored = Pick<StoredSession, "authenticatedAt" | "createdAt" | "methods" | "secondFactorAt">;

/**
 * Returns when a session passed a second factor that its user still has, or null. A code of a second factor that is off now does not count,
 * because anybody can turn codes by mail on, pass them and turn them off again. A verified passkey is one without being turned on.
 */
export const countedSecondFactorAt = (
  session: Pick<Stored, "methods" | "secondFactorAt">,
  { twoFactorEnabled }: Pick<UserRow, "twoFactorEnabled">,
): Date | null =>
  twoFactorEnabled || methodsOf(session).includes("passkey") ? session.secondFactorAt : null;

/** Returns how the user of a stored session was authenticated. */
export const authenticationOf = (
  session: Stored,
  user: Pick<UserRow, "twoFactorEnabled">,
): SessionAuthentication => ({
  authenticatedAt: session.authenticatedAt ?? session.createdAt,
  secondFactorAt: countedSecondFactorAt(session, user),
  methods: session.methods,
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
 * Returns the proof of a session whose user has authenticated again. Methods that were shown before are kept, and a second factor too,
 * unless the new proof forgets it.
 */
export const extendedProof = (
  earlier: SessionAuthentication | undefined,
  { methods, authenticatedAt, secondFactorAt = earlier?.secondFactorAt ?? undefined }: Proof,
): Proof => ({
  methods: [...methodsOf(earlier), ...methods],
  secondFactorAt,
  authenticatedAt,
});
