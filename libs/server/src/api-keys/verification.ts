/** A valid key in its state after this use. Times are ISO 8601 text in UTC. */
export interface VerifiedKey {
  id: string;
  name: string | null;
  /** The first characters of the key. Null if they are not stored. */
  start: string | null;
  prefix: string | null;
  /** The id of the user who owns the key. Null if an organization owns it. */
  userId: string | null;
  /** The id of the organization that owns the key. Absent if a user does. */
  organizationId?: string | undefined;
  /** Days after which `remaining` is reset to `refillAmount`. */
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
  /** Uses that are left. Null means unlimited. */
  remaining: number | null;
  lastRequest: string | null;
  expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Resources to actions. */
  permissions: Record<string, string[]> | null;
  /** JSON that the application stores with the key. */
  metadata: unknown;
}

/** The outcome of a verification. */
export type Verification =
  | { ok: true; key: VerifiedKey }
  /** Not the form of a key. */
  | { ok: false; reason: "malformed" }
  /** There is no such key. */
  | { ok: false; reason: "unknown" }
  /** Its owner or an admin has disabled it. */
  | { ok: false; reason: "disabled" }
  | { ok: false; reason: "expired" }
  /** Its owner may not use keys. */
  | { ok: false; reason: "banned" }
  /** It is valid, but lacks some of the requested permissions. */
  | { ok: false; reason: "forbidden" }
  /** It has no uses left. */
  | { ok: false; reason: "exhausted" }
  /** It has been used too often. Nothing was charged. */
  | { ok: false; reason: "rate-limited"; retryAfterMilliseconds: number }
  /** The service token has verified too many unknown keys. This key was not verified. */
  | { ok: false; reason: "throttled"; retryAfterMilliseconds: number }
  /**
   * The key was not verified: the service is down, slow, or configured differently from this client, or its reason is unknown to this
   * client. `cause` contains the error.
   */
  | { ok: false; reason: "unavailable"; cause: Error };
