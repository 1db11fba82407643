import type { Caller, Session } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import { isUniqueViolation } from "@latchkey/service-kit/database";
import type { Transaction } from "kysely";
import { clearProvisioned } from "../rows/accounts.ts";
import type { Tables } from "../db/tables.ts";
import {
  requestVerification,
  type RequestVerificationNeeds,
} from "../email-verification/request-verification.ts";
import { mailUndoLink } from "./undo-email-change.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { isAddressProven } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { endAccess } from "../access/end-access.ts";

export type TakeEmailNeeds = ChangeUserNeeds & RequestVerificationNeeds;

export interface NewAddress {
  user: UserRow;
  /** In lower case. */
  email: string;
  callbackURL: string | undefined;
  caller: Caller;
  /** The new address has been proven by a code. */
  isProven?: boolean;
  /** The session of the request. */
  session: Session;
  /** Runs in the transaction once the address is written. An error rolls it back. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

/**
 * Gives a user a new address. Unless it is proven, it is unverified and is mailed its own link. Deletes mailed tokens, links and codes of
 * the old address, because a reader of that mailbox must not be able to sign in or choose a password any more. An old address that was
 * proven is mailed a link that undoes the change.
 *
 * Returns undefined if the new address is taken, if the old one was changed or verified meanwhile, or if the user was
 * claimed after the session began.
 */
export const takeEmail = async (
  deps: TakeEmailNeeds,
  { user, email, callbackURL, caller, session, isProven = false, within }: NewAddress,
): Promise<UserRow | undefined> => {
  const actor = sessionActor({ session });
  const wasProven = await isAddressProven(deps.db, user);
  return changeUser(deps, {
    user,
    change: { email, emailVerified: isProven },
    guard: {
      email: user.email,
      emailVerified: user.emailVerified,
      sessionCreatedAt: session.createdAt,
    },
    action: "user.email-replaced",
    caller,
    actor,
    publish: async (trx, written) => {
      await within?.(trx);
      await clearProvisioned(trx, user.id);
      const { id: userId, email: formerEmail } = user;
      await endAccess(trx, deps, { userId, formerEmail, fact: "user.email-replaced" });
      const { email: newEmail, twoFactorEnabled: hadSecondFactor } = written;
      if (wasProven) await mailUndoLink(deps, trx, { user, hadSecondFactor, newEmail, caller });
      if (isProven || !deps.config.emailVerification.enabled) return;
      // The application's hook may have chosen another address than the requested one.
      const limit = { countsFor: "holders", beyond: "refuse" } as const;
      const request = { user: written, callbackURL, caller, actor, ...limit };
      const { publish } = await requestVerification(deps, request);
      await publish(trx);
    },
  }).catch((error: unknown) => {
    if (isUniqueViolation(error)) return undefined; // another user took the address meanwhile
    throw error;
  });
};
