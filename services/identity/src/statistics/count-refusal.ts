import { WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Counts a refused sign-in, for whatever reason. A server error is not a refusal. */
export const countRefusal = async <T>(
  { activity }: Pick<Deps, "activity">,
  signIn: () => Promise<T>,
): Promise<T> => {
  try {
    return await signIn();
  } catch (error) {
    if (error instanceof WireError && error.code !== "SERVICE_UNAVAILABLE")
      activity.recordRefusedSignIn();
    throw error;
  }
};
