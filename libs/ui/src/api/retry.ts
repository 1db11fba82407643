import { ApiError } from "./api-error.ts";

const attemptsMax = 8;
const pauseMaxMs = 10_000;

/** Whether a query should be retried: the installation may be restarting, or the network may be lost for a moment. */
export const isWorthRetrying = (failures: number, error: unknown): boolean =>
  error instanceof ApiError && error.isPassing && failures < attemptsMax;

/** Returns the milliseconds before the next try: the reply's `Retry-After`, otherwise twice as long each time. */
export const retryPauseMs = (failures: number, error: unknown): number =>
  Math.min(
    error instanceof ApiError && error.retryAfterSeconds !== undefined
      ? error.retryAfterSeconds * 1000
      : 500 * 2 ** failures,
    pauseMaxMs,
  );
