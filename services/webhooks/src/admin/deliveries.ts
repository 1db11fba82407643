import {
  applicationEventTypes,
  type OperationReply,
  type operations,
  testEventType,
  WireError,
} from "@latchkey/contracts";
import { type Answer, type Call, readList } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { deliveryList } from "../deliveries/queries.ts";
import { replayEvents, retryDelivery, retryFailed } from "../deliveries/retry-deliveries.ts";
import { getDelivery, showDelivery, showDetails } from "../deliveries/show-delivery.ts";
import { getEndpoint } from "../endpoints/change-endpoint.ts";
import { checkEventReach, mayReceive, receivableTypes } from "../endpoints/event-reach.ts";
import { readCursor } from "../events/event-cursor.ts";

type Operations = typeof operations.webhooks;
type Handler<Name extends keyof Operations> = (
  deps: Deps,
  call: Call<Operations[Name]>,
) => Promise<Answer<OperationReply<Operations[Name]>>>;

/**
 * Returns a page of deliveries without bodies, by default newest first. Those of events that the caller may not receive are left out, because
 * a delivery tells what happened to whom.
 */
export const adminListWebhookDeliveries: Handler<"adminListWebhookDeliveries"> = async (
  deps,
  { query, session },
) => {
  const receivable = receivableTypes(deps, session);
  const isLimited = receivable.length < applicationEventTypes.length;
  const eventTypes = isLimited ? [testEventType, ...receivable] : undefined;
  const { rows, ...page } = await readList(deps.db, deliveryList, { ...query, eventTypes });
  return { reply: { deliveries: rows.map(showDelivery), ...page } };
};

/** Throws `WEBHOOK_DELIVERY_NOT_FOUND`, and refuses a caller who may not list the objects of the event. */
export const adminGetWebhookDelivery: Handler<"adminGetWebhookDelivery"> = async (
  deps,
  { params, session },
) => {
  const found = await getDelivery(deps, params);
  if (!mayReceive(deps, session, found.row.eventType))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS");
  return { reply: await showDetails(deps, found) };
};

/** Throws `WEBHOOK_DELIVERY_NOT_FOUND` and `WEBHOOK_DELIVERY_HAS_NOT_FAILED`. */
export const adminRetryWebhookDelivery: Handler<"adminRetryWebhookDelivery"> = async (
  deps,
  call,
) => {
  const { row, events } = await getDelivery(deps, call.params);
  checkEventReach(deps, call.session, events);
  return { reply: showDelivery(await retryDelivery(deps, call, row.id)) };
};

export const adminRetryFailedWebhookDeliveries: Handler<
  "adminRetryFailedWebhookDeliveries"
> = async (deps, call) => {
  const { id: endpointId, events } = await getEndpoint(deps, call.params);
  checkEventReach(deps, call.session, events);
  const since = new Date(call.body.since);
  return { reply: await retryFailed(deps, call, { endpointId, since }) };
};

export const adminReplayWebhookEvents: Handler<"adminReplayWebhookEvents"> = async (deps, call) => {
  const { id: endpointId, events } = await getEndpoint(deps, call.params);
  checkEventReach(deps, call.session, events);
  const { from, to, after } = call.body;
  const { count, next } = await replayEvents(deps, call, {
    endpointId,
    from: new Date(from),
    to: new Date(to),
    after: readCursor(after),
  });
  return { reply: { count, hasMore: next !== null, next: next === null ? null : String(next) } };
};
