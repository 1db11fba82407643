import { WireError } from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit";
import type { Acting } from "../endpoints/change-endpoint.ts";
import type { Deps } from "../deps.ts";
import { findWanted, queueWanted } from "./queueing/queries.ts";
import { type DeliveryRow, findDelivery, reviveDelivery, reviveFailed } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db" | "dispatch">;

const batchSize = 1_000;
/** Deliveries of one call. A further call continues. */
const callMax = 50_000;

/** Queues a failed delivery again. Of concurrent calls, one succeeds. Throws `WEBHOOK_DELIVERY_HAS_NOT_FAILED`. */
export const retryDelivery = async (
  deps: Needs,
  { caller, session }: Acting,
  id: string,
): Promise<DeliveryRow> => {
  const row = await deps.db.transaction().execute(async (trx) => {
    if (!(await reviveDelivery(trx, id))) throw new WireError("WEBHOOK_DELIVERY_HAS_NOT_FAILED");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "webhook-delivery", id },
      action: "webhook-delivery.retried",
      caller,
    });
    return findDelivery(trx, id);
  });
  if (!row) throw new WireError("WEBHOOK_DELIVERY_NOT_FOUND");
  deps.dispatch.wake();
  return row;
};

/** Queues the deliveries of an endpoint that failed since a time. */
export const retryFailed = async (
  deps: Needs,
  { caller, session }: Acting,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<{ count: number; hasMore: boolean }> => {
  let count = 0;
  let last = batchSize;
  await appendAudit(deps.db, deps, {
    actor: sessionActor(session),
    subject: { kind: "webhook", id: endpointId },
    action: "webhook.failed-retried",
    caller,
    after: { since },
  });
  while (last === batchSize && count < callMax) {
    last = await reviveFailed(deps.db, { endpointId, since, limit: batchSize });
    count += last;
  }
  deps.dispatch.wake();
  return { count, hasMore: last === batchSize };
};

export interface Replay {
  endpointId: string;
  from: Date;
  to: Date;
  /** The place after which to continue. */
  after: number;
}

/**
 * Sends the events of a period again, in their order. Returns the place of the last one if there may be more. Events that the endpoint does
 * not want any more are left out.
 */
export const replayEvents = async (
  deps: Needs,
  { caller, session }: Acting,
  { endpointId, from, to, after }: Replay,
): Promise<{ count: number; next: number | null }> => {
  const result = await deps.db.transaction().execute(async (trx) => {
    const wanted = { endpointId, from, to, after, limit: callMax };
    const found = await findWanted(trx, wanted);
    if (found.last === null) return { count: 0, next: null };
    const queued = await queueWanted(trx, {
      ...wanted,
      last: found.last,
      now: new Date(deps.clock()),
    });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "webhook", id: endpointId },
      action: "webhook.replayed",
      caller,
      after: { from, to, count: queued },
    });
    return { count: queued, next: found.count === callMax ? found.last : null };
  });
  deps.dispatch.wake();
  return result;
};
