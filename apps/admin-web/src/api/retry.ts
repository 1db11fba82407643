import { ApiError } from "./api-error.ts";

const attemptsMax = 8;
const pauseMaxMs = 10_000;

/** Whether a question is worth another try: the installation may be starting anew, or the network be lost for a while. */
export const isWorthRetrying = (failures: number, error: unknown): boolean =>
  error instanceof ApiError && error.isPassing && failures < attemptsMax;

/** Milliseconds before the next try: what the answer says, else twice as long each time. */
export const retryPauseMs = (failures: number, error: unknown): number =>
  Math.min(
    error instanceof ApiError && error.retryAfterSeconds !== undefined
      ? error.retryAfterSeconds * 1000
      : 500 * 2 ** failures,
    pauseMaxMs,
  );
