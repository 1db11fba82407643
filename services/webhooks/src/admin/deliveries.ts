import { applicationEventTypes, testEventType, WireError } from "@latchkey/contracts";
import { readList } from "@latchkey/service-kit/lists";
import {
  getDelivery,
  replayEvents,
  retryDelivery,
  retryFailed,
  showDelivery,
  showDetails,
} from "../deliveries/manage-deliveries.ts";
import { countPendingOf, deliveryList } from "../deliveries/queries.ts";
import type { Deps, Handler } from "../deps.ts";
import { getEndpoint } from "../endpoints/change-endpoint.ts";
import { checkEventReach, mayReceive, receivableTypes } from "../endpoints/event-reach.ts";
import { readCursor } from "../events/queries.ts";
import { hideQuery } from "./endpoints.ts";
import { listHours } from "./queries.ts";

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
export const adminGetWebhookDelivery: Handler<"adminGetWebhookDelivery"> = async (deps, call) => {
  const delivery = await getDelivery(deps, call.params);
  if (!mayReceive(deps, call.session, delivery.row.eventType))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS");
  return { reply: await showDetails(deps, hideQuery(deps, call, delivery)) };
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

const hourMilliseconds = 3_600_000;
const hoursMax = 24 * 31;
const hoursDefault = 24;

const hourOf = (milliseconds: number): number => milliseconds - (milliseconds % hourMilliseconds);

const readHours = (
  { clock }: Pick<Deps, "clock">,
  query: { from?: string | undefined; to?: string | undefined },
): { from: Date; to: Date } => {
  const to = hourOf(query.to ? Date.parse(query.to) : clock());
  const from = query.from
    ? hourOf(Date.parse(query.from))
    : to - (hoursDefault - 1) * hourMilliseconds;
  if (from > to || to - from >= hoursMax * hourMilliseconds)
    throw new WireError("VALIDATION_ERROR", {
      message: "Invalid query parameters",
      issues: [{ path: "from", message: `must be at most ${hoursMax} hours before "to"` }],
    });
  return { from: new Date(from), to: new Date(to) };
};

/** Returns the figures of each hour, oldest first, also of hours without attempts. Throws `WEBHOOK_NOT_FOUND`. */
export const adminReadWebhookStatistics: Handler<"adminReadWebhookStatistics"> = async (
  deps,
  { params: { id }, query },
) => {
  const { from, to } = readHours(deps, query);
  await getEndpoint(deps, { id });
  const [hours, pending] = await Promise.all([
    listHours(deps.db, { endpointId: id, from, to }),
    countPendingOf(deps.db, id),
  ]);
  return { reply: { hours, pending } };
};
