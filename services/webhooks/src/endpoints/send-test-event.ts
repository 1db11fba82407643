import { type ApplicationEvent, testEventType } from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit";
import { type DeliveryRow, findDelivery } from "../deliveries/queries.ts";
import { queueEventFor } from "../deliveries/queueing/queries.ts";
import { insertEvents, lockEvents } from "../events/queries.ts";
import type { Acting, ChangeEndpointNeeds } from "./change-endpoint.ts";

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
