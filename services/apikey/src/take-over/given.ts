/** A key of another database. Times are milliseconds since the Unix epoch. */
export interface GivenApiKey {
  id: string;
  name: string | null;
  start: string | null;
  prefix: string | null;
  /** In its stored form. */
  key: string | null;
  /** The owner, if the database says that it is a user. */
  userId: string | null;
  /** Whether the other database has that user. */
  hasUser: boolean | null;
  refillInterval: number | null;
  /** Whether the interval is in milliseconds instead of days. */
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
