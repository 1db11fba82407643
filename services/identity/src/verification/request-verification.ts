import type { Caller } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import { verificationLink } from "./verification-link.ts";

type Needs = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

export interface VerificationRequest {
  user: Pick<UserRow, "id" | "name" | "email">;
  callbackURL: string | undefined;
  caller: Caller;
  /** Who asked, where that was proven. */
  actor: AuditEntry["actor"];
}

/**
 * Prepares a verification link and gives what publishes it, to be called inside the transaction that it belongs to. The
 * link leaves only in a sealed event.
 */
export const requestVerification = async (
  deps: Needs,
  { user, callbackURL, caller, actor }: VerificationRequest,
): Promise<(trx: Transaction<Tables>) => Promise<void>> => {
  const { id: userId, email, name } = user;
  const url = await verificationLink(deps, { email, callbackURL, caller });
  return async (trx) => {
    const data = { userId, email, name, url };
    await appendEvent(trx, deps, { name: "verification.requested", data });
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "user", id: userId },
      action: "verification.requested",
      caller,
    });
  };
};
