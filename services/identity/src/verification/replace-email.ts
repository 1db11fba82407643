import { type Caller, type SessionEffect, WireError } from "@latchkey/contracts";
import { isUniqueViolation } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { reissue } from "../sessions/session-rules.ts";
import { changeUser } from "../users/change-user.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { requestVerification } from "./request-verification.ts";

type Needs = Pick<
  Deps,
  "clock" | "config" | "db" | "newEventId" | "ring" | "sessions" | "wakeRelay"
>;

export interface EmailReplacement {
  email: string;
  updateTo: string;
  callbackURL: string | undefined;
  caller: Caller;
}

/**
 * Carries out a change of address that the old address has confirmed, for the session of that address only; undefined
 * for anybody else. The new address is unverified and is mailed a link of its own.
 */
export const replaceEmail = async (
  deps: Needs,
  { email, updateTo, callbackURL, caller }: EmailReplacement,
): Promise<{ user: UserRow; effect: SessionEffect } | undefined> => {
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  if (!current || current.user.email !== email) return undefined;
  const user = await findUser(deps, { id: current.user.id });
  if (user?.email !== email) return undefined;
  const newEmail = updateTo.toLowerCase();
  const publish = deps.config.emailVerification.enabled
    ? await requestVerification(deps, {
        user: { ...user, email: newEmail },
        callbackURL,
        caller,
        actor: { kind: "user", id: user.id },
      })
    : undefined;
  const replaced = await changeUser(deps, {
    user,
    change: { email: newEmail, emailVerified: false },
    action: "user.email-replaced",
    caller,
    publish,
  }).catch((error: unknown) => {
    if (isUniqueViolation(error)) return undefined; // somebody took the address meanwhile
    throw error;
  });
  if (!replaced) throw new WireError("COULDNT_UPDATE_YOUR_EMAIL");
  return { user: replaced, effect: reissue(current.session, caller, deps.clock()) };
};
