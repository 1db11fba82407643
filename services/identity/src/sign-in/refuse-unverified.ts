import { type Caller, type ErrorCode, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { rememberBrowser } from "../one-time-tokens/link-browser.ts";
import {
  requestVerification,
  type RequestVerificationNeeds,
} from "../email-verification/request-verification.ts";
import type { UserRow } from "../users/user-row.ts";

export interface UnverifiedRefusal {
  caller: Caller;
  /** Destination of the mailed link. */
  callbackURL: string | undefined;
  error: ErrorCode;
}

/**
 * Rejects a user with the right password but an unverified address. Mails a fresh link if mails are on and the mailbox's
 * limit allows it.
 */
export const refuseUnverified = async (
  deps: RequestVerificationNeeds & Pick<Deps, "db" | "wakeRelay">,
  user: UserRow,
  { caller, callbackURL, error }: UnverifiedRefusal,
): Promise<never> => {
  if (!deps.config.emailVerification.enabled) throw new WireError(error);
  const actor = { kind: "user", id: user.id } as const;
  const { browser, effect } = rememberBrowser(deps, caller);
  const request = { user, callbackURL, caller, actor, browser, beyond: "drop" } as const;
  const { publish } = await requestVerification(deps, request);
  await deps.db.transaction().execute(publish);
  deps.wakeRelay();
  throw new WireError(error, { effect });
};
