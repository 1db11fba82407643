import { WireError } from "@latchkey/contracts";
import { findAccountOwner } from "../accounts/queries.ts";
import {
  finishSignIn,
  type FinishSignInNeeds,
  type SignInOutcome,
} from "../sign-in/finish-sign-in.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/**
 * Finishes a sign-in at a provider, unless the account was unlinked meanwhile. A browser with the marker of
 * an unremembered session gets an unremembered one again. Throws `EMAIL_NOT_VERIFIED`, `BANNED_USER`,
 * `TWO_FACTOR_REQUIRED` and `UNABLE_TO_CREATE_SESSION`.
 */
export const finishSocialSignIn = async (
  deps: FinishSignInNeeds,
  user: UserRow,
  {
    client: { provider },
    user: there,
    caller,
    isOfApp = false,
  }: Pick<SocialSignIn, "client" | "user" | "caller" | "isOfApp">,
): Promise<SignInOutcome> => {
  const account = { providerId: provider.id, accountId: there.id };
  if (provider.options.requireEmailVerification && !user.emailVerified)
    throw new WireError("EMAIL_NOT_VERIFIED");
  const outcome = await finishSignIn(deps, {
    user,
    method: `social:${provider.id}`,
    caller,
    remember: isOfApp || !caller.browserSession,
    isStillGranted: async () => (await findAccountOwner(deps.db, account))?.userId === user.id,
  });
  if (!outcome) throw new WireError("UNABLE_TO_CREATE_SESSION");
  return outcome;
};
