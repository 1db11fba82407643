import { type Caller, WireError } from "@latchkey/contracts";
import { findOwner } from "../accounts/find-owner.ts";
import type { Deps } from "../deps.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import type { UserRow } from "../users/user-row.ts";

/** What a session is granted for: an account at a provider. */
export interface SocialGrant {
  providerId: string;
  accountId: string;
  /** No session for a user whose address is not verified. */
  requireEmailVerification: boolean;
}

/**
 * Starts the session of somebody who came by a provider, unless the account has been unlinked meanwhile. It lives as long
 * as any other; in a browser whose session is to end with it, the cookie does. Throws `EMAIL_NOT_VERIFIED`, `BANNED_USER`
 * and `UNABLE_TO_CREATE_SESSION`.
 */
export const startSocialSession = async (
  deps: CreateSessionNeeds & Pick<Deps, "db">,
  user: UserRow,
  { grant, caller }: { grant: SocialGrant; caller: Caller },
): Promise<NewSession> => {
  const { requireEmailVerification, ...account } = grant;
  if (requireEmailVerification && !user.emailVerified) throw new WireError("EMAIL_NOT_VERIFIED");
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
