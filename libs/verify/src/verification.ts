/** A key that was good, as it is after this use. Times are ISO 8601 text in UTC. */
export interface VerifiedKey {
  id: string;
  name: string | null;
  /** The first characters of the key; null where they are not kept. */
  start: string | null;
  prefix: string | null;
  /** Whose key it is. */
  userId: string;
  /** Days after which `remaining` becomes `refillAmount` again. */
  refillInterval: number | null;
  refillAmount: number | null;
  lastRefillAt: string | null;
  enabled: boolean;
  rateLimitEnabled: boolean;
  /** In milliseconds. */
  rateLimitTimeWindow: number | null;
  rateLimitMax: number | null;
  /** Uses in the window. */
  requestCount: number;
  /** Uses that are left; null is any number. */
  remaining: number | null;
  lastRequest: string | null;
  expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Resources to actions. */
  permissions: Record<string, string[]> | null;
  /** What the application keeps with the key. */
  metadata: unknown;
}

/** What came of a verification. */
export type Verification =
  | { ok: true; key: VerifiedKey }
  /** No text of a key. */
  | { ok: false; reason: "malformed" }
  /** There is no such key. */
  | { ok: false; reason: "unknown" }
  /** Its owner or an admin has disabled it. */
  | { ok: false; reason: "disabled" }
  | { ok: false; reason: "expired" }
  /** Its owner may not use keys. */
  | { ok: false; reason: "banned" }
  /** It is good, but not for the permissions that were asked for. */
  | { ok: false; reason: "forbidden" }
  /** It has no uses left. */
  | { ok: false; reason: "exhausted" }
  /** It has been used too often; nothing was charged. */
  | { ok: false; reason: "rate-limited"; retryAfterMilliseconds: number }
  /** The service token has asked about too many unknown keys; nothing is known of this one. */
  | { ok: false; reason: "throttled"; retryAfterMilliseconds: number }
  /**
   * Nothing is known of the key: the service is away, slow, not configured as this client is, or gives a reason that this client
   * does not know. `cause` says which.
   */
  | { ok: false; reason: "unavailable"; cause: Error };
