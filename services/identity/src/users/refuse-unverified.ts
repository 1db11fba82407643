import { type Caller, type ErrorCode, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { requestVerification } from "../verification/request-verification.ts";
import type { UserRow } from "./user-row.ts";

export interface UnverifiedRefusal {
  caller: Caller;
  /** Where the mailed link leads. */
  callbackURL: string | undefined;
  error: ErrorCode;
}

/** Refuses somebody who has shown their password but not their address, and mails a fresh link where mails are on. */
export const refuseUnverified = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">,
  user: UserRow,
  { caller, callbackURL, error }: UnverifiedRefusal,
): Promise<never> => {
  if (deps.config.emailVerification.enabled) {
    const actor = { kind: "user", id: user.id } as const;
    const publish = await requestVerification(deps, { user, callbackURL, caller, actor });
    await deps.db.transaction().execute(publish);
    deps.wakeRelay();
  }
  throw new WireError(error);
};
