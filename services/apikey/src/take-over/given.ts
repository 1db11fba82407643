/** What another database gives of a key. Times are milliseconds since the epoch. */
export interface GivenApiKey {
  id: string;
  name: string | null;
  start: string | null;
  prefix: string | null;
  /** As it is stored there. */
  key: string | null;
  /** Whose it is: a user, as far as the database says. */
  userId: string | null;
  /** Whether the other database has that user. */
  hasUser: boolean | null;
  refillInterval: number | null;
  /** Whether the interval is in milliseconds, not in days. */
  refillsByMilliseconds: boolean | null;
  refillAmount: number | null;
  lastRefillAt: number | null;
  enabled: boolean | null;
  rateLimitEnabled: boolean | null;
  rateLimitTimeWindow: number | null;
  rateLimitMax: number | null;
  requestCount: number | null;
  remaining: number | null;
  lastRequest: number | null;
  expiresAt: number | null;
  createdAt: number | null;
  updatedAt: number | null;
  permissions: string | null;
  metadata: string | null;
}
