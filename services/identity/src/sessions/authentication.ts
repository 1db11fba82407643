import type { AuthenticationMethod } from "@latchkey/contracts";
import {
  isFactorPasskey,
  methodsOf,
  type SessionAuthentication,
  type ResolvedSession,
} from "@latchkey/service-kit/http";
import { hashToken } from "@latchkey/crypto";
import type { UserRow } from "../users/user-row.ts";
import type { AuthenticationChange, StoredSession } from "./store/session-store.ts";
import type { Deps } from "../deps.ts";

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
): Date | null => (twoFactorEnabled || isFactorPasskey(session) ? session.secondFactorAt : null);

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

/**
 * Records in a session that its user has authenticated again. A second factor that was passed before is kept. Returns false if the
 * session has ended.
 */
export const recordProof = (
  deps: Pick<Deps, "clock" | "sessions">,
  { session: { token, userId }, authentication }: ResolvedSession,
  proof: Proof,
): Promise<boolean> =>
  deps.sessions.changeAuthentication(
    { tokenHash: hashToken(token), userId },
    proofColumns(extendedProof(authentication, proof), new Date(deps.clock())),
  );
