/** The maximum of requests in a window. */
export interface RateRule {
  readonly windowSeconds: number;
  readonly max: number;
}

/** Whole seconds, at least 1, until the window ends. */
export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * Counts requests by key. A window is fixed: it starts with its first request and ends `windowSeconds` later, regardless of later requests.
 * Counting and deciding are one step, so concurrent requests never exceed `max` together. A refused request changes nothing.
 */
export interface Limiter {
  hit(key: string, rule: RateRule): Promise<Decision> | Decision;
  /** Ends the windows of these keys. Returns the number of windows that were open. Rejects if the store does. */
  reset(keys: readonly string[]): Promise<number> | number;
}
