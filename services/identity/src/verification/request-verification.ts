import type { Caller } from "@latchkey/contracts";
import { signVerificationToken } from "@latchkey/crypto";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";

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
 * token is signed, not stored; the link leaves only in a sealed event.
 */
export const requestVerification = async (
  deps: Needs,
  { user, callbackURL, caller, actor }: VerificationRequest,
): Promise<(trx: Transaction<Tables>) => Promise<void>> => {
  const token = await signVerificationToken(
    deps.ring,
    { email: user.email },
    { now: new Date(deps.clock()), expiresInSeconds: deps.config.emailVerification.expiresIn },
  );
  const query = new URLSearchParams({ token, callbackURL: callbackURL || "/" });
  const url = `${caller.baseUrl}/verify-email?${query.toString()}`;
  return async (trx) => {
    await appendEvent(
      trx,
      { ...deps, newId: deps.newEventId },
      {
        name: "verification.requested",
        data: { userId: user.id, email: user.email, name: user.name, url },
      },
    );
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "user", id: user.id },
      action: "verification.requested",
      caller,
    });
  };
};
