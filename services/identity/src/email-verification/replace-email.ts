import { type Caller, type SessionEffect, WireError } from "@latchkey/contracts";
import { SpentError } from "../one-time-tokens/spent-error.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import { reissueChanged } from "../sessions/reissue-changed.ts";
import { takeEmail, type TakeEmailNeeds } from "../users/take-email.ts";
import type { UserRow } from "../users/user-row.ts";
import type { LinkUse } from "./use-verification-link.ts";

type Needs = TakeEmailNeeds & Parameters<typeof reissueChanged>[0];

export interface EmailReplacement {
  /** The user whose old address has confirmed the change. */
  user: UserRow;
  updateTo: string;
  callbackURL: string | undefined;
  caller: Caller;
  /** The user's own session, in which the link was opened. */
  own: LiveSession;
  consume: LinkUse["consume"];
}

/**
 * Performs a change of address that the old address has confirmed. Returns undefined if the link was used meanwhile. The
 * new address is unverified and is mailed its own link.
 */
export const replaceEmail = async (
  deps: Needs,
  { user, updateTo, callbackURL, caller, own, consume }: EmailReplacement,
): Promise<{ user: UserRow; effect: SessionEffect } | undefined> => {
  const { session } = own;
  const email = updateTo.toLowerCase();
  try {
    const replaced = await takeEmail(deps, {
      user,
      email,
      callbackURL,
      caller,
      session,
      within: async (trx) => {
        if (!(await consume(trx))) throw new SpentError();
      },
    });
    if (!replaced) throw new WireError("COULDNT_UPDATE_YOUR_EMAIL");
    return { user: replaced, effect: await reissueChanged(deps, own, replaced) };
  } catch (error) {
    if (error instanceof SpentError) return undefined;
    throw error;
  }
};
