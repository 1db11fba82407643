import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  type Answer,
  appendAudit,
  appendEvent,
  type Call,
  sessionActor,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findDelivery, updateFailed } from "./queries.ts";

type AdminRetryDelivery = typeof operations.mailer.adminRetryDelivery;

/**
 * Restores all attempts of a failed mail and starts the first one at once. Of concurrent calls, one succeeds. Throws
 * `DELIVERY_NOT_FOUND` and `DELIVERY_HAS_NOT_FAILED`.
 */
export const adminRetryDelivery = async (
  deps: Pick<Deps, "clock" | "db" | "newEventId" | "ring" | "wakeRelay">,
  { params: { id }, caller, session }: Call<AdminRetryDelivery>,
): Promise<Answer<OperationReply<AdminRetryDelivery>>> => {
  const retried = await deps.db.transaction().execute(async (trx) => {
    const row = await updateFailed(trx, id);
    if (!row) return undefined;
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "delivery", id },
      action: "delivery.retried",
      caller,
    });
    await appendEvent(trx, deps, { name: "delivery.retried", data: { deliveryId: id } });
    return row;
  });
  if (!retried) {
    const isThere = await findDelivery(deps.db, id);
    throw new WireError(isThere ? "DELIVERY_HAS_NOT_FAILED" : "DELIVERY_NOT_FOUND");
  }
  deps.wakeRelay();
  return { reply: retried };
};
