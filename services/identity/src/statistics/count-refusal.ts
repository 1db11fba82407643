import { WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Counts a sign-in that is refused, whatever for. One that we fail to answer is none. */
export const countRefusal = async <T>(
  { activity }: Pick<Deps, "activity">,
  signIn: () => Promise<T>,
): Promise<T> => {
  try {
    return await signIn();
  } catch (error) {
    if (error instanceof WireError && error.code !== "SERVICE_UNAVAILABLE")
      activity.noteRefusedSignIn();
    throw error;
  }
};
