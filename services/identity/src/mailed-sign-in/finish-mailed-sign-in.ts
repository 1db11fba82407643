import { type Caller, WireError } from "@latchkey/contracts";
import {
  finishSignIn,
  type FinishSignInNeeds,
  type SignInOutcome,
} from "../sign-in/finish-sign-in.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";

/**
 * Finishes a sign-in by a mail, unless the address has left the user meanwhile. A browser with the marker of an unremembered session
 * gets an unremembered one again. Throws `BANNED_USER`, `TWO_FACTOR_REQUIRED` and `FAILED_TO_CREATE_SESSION`.
 */
export const finishMailedSignIn = async (
  deps: FinishSignInNeeds,
  { user, method, caller }: { user: UserRow; method: "magic-link" | "email-otp"; caller: Caller },
): Promise<SignInOutcome> => {
  const outcome = await finishSignIn(deps, {
    user,
    method,
    caller,
    remember: !caller.browserSession,
    isStillGranted: async () => (await findUser(deps, { email: user.email }))?.id === user.id,
  });
  if (!outcome) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  return outcome;
};
