import { WireError } from "@latchkey/contracts";
import { findAccountOwner } from "../accounts/queries.ts";
import type { Deps } from "../deps.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/**
 * Starts the session of a sign-in at a provider, unless the account was unlinked meanwhile. A browser with the marker of
 * an unremembered session gets an unremembered one again. Throws `EMAIL_NOT_VERIFIED`, `BANNED_USER` and
 * `UNABLE_TO_CREATE_SESSION`.
 */
export const startSocialSession = async (
  deps: CreateSessionNeeds & Pick<Deps, "db">,
  user: UserRow,
  {
    client: { provider },
    user: there,
    caller,
    isOfApp = false,
  }: Pick<SocialSignIn, "client" | "user" | "caller" | "isOfApp">,
): Promise<NewSession> => {
  const account = { providerId: provider.id, accountId: there.id };
  if (provider.options.requireEmailVerification && !user.emailVerified)
    throw new WireError("EMAIL_NOT_VERIFIED");
  const created = await createSession(deps, user, {
    caller,
    remember: isOfApp || !caller.browserSession,
    isStillGranted: async () => (await findAccountOwner(deps.db, account))?.userId === user.id,
  });
  if (!created) throw new WireError("UNABLE_TO_CREATE_SESSION");
  return created;
};
