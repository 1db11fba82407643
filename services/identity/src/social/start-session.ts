import { WireError } from "@latchkey/contracts";
import { findOwner } from "../accounts/find-owner.ts";
import type { Deps } from "../deps.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import type { UserRow } from "../users/user-row.ts";
import type { SocialSignIn } from "./social-sign-in.ts";

/**
 * Starts the session of somebody who came by a provider, unless the account has been unlinked meanwhile. It lives as long
 * as any other; in a browser whose session is to end with it, the cookie does. Throws `EMAIL_NOT_VERIFIED`, `BANNED_USER`
 * and `UNABLE_TO_CREATE_SESSION`.
 */
export const startSocialSession = async (
  deps: CreateSessionNeeds & Pick<Deps, "db">,
  user: UserRow,
  { talk: { provider }, user: there, caller }: Pick<SocialSignIn, "talk" | "user" | "caller">,
): Promise<NewSession> => {
  const account = { providerId: provider.id, accountId: there.id };
  if (provider.options.requireEmailVerification && !user.emailVerified)
    throw new WireError("EMAIL_NOT_VERIFIED");
  const created = await createSession(deps, user, {
    caller,
    remember: true,
    isStillGranted: async () => (await findOwner(deps, account))?.userId === user.id,
  });
  if (!created) throw new WireError("UNABLE_TO_CREATE_SESSION");
  const { effect } = created;
  const maxAgeSeconds = caller.browserSession ? null : effect.maxAgeSeconds;
  return { ...created, effect: { ...effect, maxAgeSeconds } };
};
