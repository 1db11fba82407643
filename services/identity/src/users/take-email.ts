import type { Caller, Session } from "@latchkey/contracts";
import { isUniqueViolation, sessionActor } from "@latchkey/service-kit";
import { requestVerification } from "../verification/request-verification.ts";
import { dropTokens } from "../verification/single-use-token.ts";
import { changeUser, type ChangeUserNeeds } from "./change-user.ts";
import type { UserRow } from "./user-row.ts";

export interface NewAddress {
  user: UserRow;
  /** In lower case. */
  email: string;
  callbackURL: string | undefined;
  caller: Caller;
  /** The session that it is asked for in. */
  session: Session;
}

/**
 * Gives a user another address, which is unverified and is mailed a link of its own. What was mailed to the old one ends
 * with it: whoever reads that mailbox must not choose a password of the user any more. Undefined when somebody has the
 * address, when the old one was changed, verified or replaced meanwhile, and when the user was taken from who asks.
 */
export const takeEmail = async (
  deps: ChangeUserNeeds,
  { user, email, callbackURL, caller, session }: NewAddress,
): Promise<UserRow | undefined> => {
  const actor = sessionActor({ session });
  return changeUser(deps, {
    user,
    change: { email, emailVerified: false },
    guard: {
      email: user.email,
      emailVerified: user.emailVerified,
      sessionCreatedAt: session.createdAt,
    },
    action: "user.email-replaced",
    caller,
    actor,
    publish: async (trx, written) => {
      await dropTokens(trx, user.id);
      if (!deps.config.emailVerification.enabled) return;
      // The application's hook may have chosen another address than was asked for.
      const request = { user: written, callbackURL, caller, actor };
      const mail = await requestVerification(deps, request);
      await mail(trx);
    },
  }).catch((error: unknown) => {
    if (isUniqueViolation(error)) return undefined; // somebody took the address meanwhile
    throw error;
  });
};
