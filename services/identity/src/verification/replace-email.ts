import { type Caller, type SessionEffect, WireError } from "@latchkey/contracts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { reissueChanged } from "../sessions/reissue-changed.ts";
import type { ChangeUserNeeds } from "../users/change-user.ts";
import { takeEmail } from "../users/take-email.ts";
import type { UserRow } from "../users/user-row.ts";

type Needs = ChangeUserNeeds & ResolveSessionNeeds;

export interface EmailReplacement {
  /** Whose address has confirmed it. */
  user: UserRow;
  updateTo: string;
  callbackURL: string | undefined;
  caller: Caller;
}

/**
 * Carries out a change of address that the old address has confirmed, in a session of its user only; undefined for
 * anybody else, also for an admin who impersonates them. The new address is unverified and is mailed a link of its own.
 */
export const replaceEmail = async (
  deps: Needs,
  { user, updateTo, callbackURL, caller }: EmailReplacement,
): Promise<{ user: UserRow; effect: SessionEffect } | undefined> => {
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  if (current?.user.id !== user.id || current.session.impersonatedBy) return undefined;
  const replaced = await takeEmail(deps, {
    user,
    email: updateTo.toLowerCase(),
    callbackURL,
    caller,
    session: current.session,
  });
  if (!replaced) throw new WireError("COULDNT_UPDATE_YOUR_EMAIL");
  const { session } = current;
  return {
    user: replaced,
    effect: await reissueChanged(deps, { session, user: replaced }, caller),
  };
};
