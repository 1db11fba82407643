import { NotProven } from "./not-proven.ts";

/** Returns undefined if the deployment has disabled the feature, so that it has no ids. */
export const offered = async <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof NotProven) return undefined;
    throw error;
  });
