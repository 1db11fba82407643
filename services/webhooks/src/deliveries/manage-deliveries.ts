import {
  type ApplicationEvent,
  testEventType,
  type WebhookDelivery,
  WireError,
} from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import type { Deps } from "../deps.ts";
import type { ChangeEndpointNeeds } from "../endpoints/change-endpoint.ts";
import type { Acting } from "../endpoints/contact.ts";
import { findEndpoint } from "../endpoints/queries.ts";
import { insertEvents, lockEvents } from "../events/queries.ts";
import {
  type AttemptRow,
  type DeliveryRow,
  findBody,
  findDelivery,
  listAttempts,
  reviveDelivery,
  reviveFailed,
} from "./queries.ts";
import {
  findWanted,
  queueEventFor,
  queueWanted,
  type ReplayedEvent,
  requeueEvent,
} from "./queueing/queries.ts";

/** Returns a delivery as callers see it. */
export const showDelivery = ({ subjectKind, subjectId, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  subject: { kind: subjectKind, id: subjectId },
});

/** Names a delivery. With an organization, a delivery to an endpoint of any other is unknown. */
interface NamedDelivery {
  id: string;
  organizationId?: string | undefined;
}

/** Returns a delivery and the URL of its endpoint. Throws `WEBHOOK_DELIVERY_NOT_FOUND`. */
export const getDelivery = async (
  { db }: Pick<Deps, "db">,
  { id, organizationId }: NamedDelivery,
): Promise<{ row: DeliveryRow; url: string; events: readonly string[] }> => {
  const row = await findDelivery(db, id);
  const endpoint = row && (await findEndpoint(db, row.endpointId));
  if (!endpoint || (organizationId !== undefined && endpoint.organizationId !== organizationId))
    throw new WireError("WEBHOOK_DELIVERY_NOT_FOUND");
  return { row, url: endpoint.url, events: endpoint.events };
};

interface DeliveryDetails {
  delivery: WebhookDelivery;
  request: { url: string; headers: Record<string, string>; body: string };
  attempts: AttemptRow[];
}

/**
 * Returns the request and the responses of a delivery. The time and the signature differ in each attempt and are left out. The body is empty
 * once the event is deleted.
 */
export const showDetails = async (
  { db }: Pick<Deps, "db">,
  { row, url }: { row: DeliveryRow; url: string },
): Promise<DeliveryDetails> => {
  const [body = "", attempts] = await Promise.all([
    findBody(db, row.eventId),
    listAttempts(db, row.id),
  ]);
  const headers = { "content-type": "application/json", "webhook-id": row.eventId };
  return { delivery: showDelivery(row), request: { url, headers, body }, attempts };
};

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

interface Replay {
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
    const selection = await findWanted(trx, wanted);
    if (selection.last === null) return { count: 0, next: null };
    const queued = await queueWanted(trx, {
      ...wanted,
      last: selection.last,
      now: new Date(deps.clock()),
    });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "webhook", id: endpointId },
      action: "webhook.replayed",
      caller,
      after: { from, to, count: queued },
    });
    return { count: queued, next: selection.count === callMax ? selection.last : null };
  });
  deps.dispatch.wake();
  return result;
};

/**
 * Sends an event again to one endpoint, or to all that want it. Returns the number of endpoints. Leaves out endpoints whose events the caller
 * may not read.
 */
export const replayEvent = async (
  deps: Needs,
  { caller, session }: Acting,
  replayed: ReplayedEvent,
): Promise<number> => {
  const { eventId, endpointId } = replayed;
  const count = await deps.db.transaction().execute(async (trx) => {
    const queued = await requeueEvent(trx, { ...replayed, now: new Date(deps.clock()) });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "webhook-event", id: eventId },
      action: "webhook-event.replayed",
      caller,
      after: { webhookId: endpointId ?? null, count: queued },
    });
    return queued;
  });
  deps.dispatch.wake();
  return count;
};

/** Queues a test event for one endpoint. It is sent after a pause too. */
export const sendTestEvent = async (
  deps: ChangeEndpointNeeds,
  { caller, session }: Acting,
  endpointId: string,
): Promise<DeliveryRow> => {
  const id = deps.newId();
  const now = new Date(deps.clock());
  const occurredAt = now.toISOString();
  const sent: ApplicationEvent = {
    id,
    type: testEventType,
    version: 1,
    timestamp: occurredAt,
    data: { webhookId: endpointId },
  };
  const delivery = await deps.db.transaction().execute(async (trx) => {
    const event = {
      id,
      type: testEventType,
      subjectKind: "webhook",
      subjectId: endpointId,
      organizationId: null,
      occurredAt,
      body: JSON.stringify(sent),
    };
    await lockEvents(trx);
    await insertEvents(trx, [event], now);
    const deliveryId = await queueEventFor(trx, { endpointId, eventId: id, now });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "webhook", id: endpointId },
      action: "webhook.tested",
      caller,
    });
    return findDelivery(trx, deliveryId);
  });
  deps.dispatch.wake();
  return delivery as DeliveryRow; // it was just inserted
};
