import { type ApplicationEvent, applicationEventTypes, WireError } from "@latchkey/contracts";
import { readAmounts } from "@latchkey/service-kit/lists";
import { replayEvent } from "../deliveries/manage-deliveries.ts";
import { countLatestDeliveries } from "../deliveries/queries.ts";
import type { Handler } from "../deps.ts";
import { getEndpoint } from "../endpoints/change-endpoint.ts";
import { checkEventReach, receivableTypes } from "../endpoints/event-reach.ts";
import {
  findEvent,
  findLastSequence,
  listEvents,
  listNewestEvents,
  readCursor,
} from "../events/queries.ts";

const limitDefault = 100;

/**
 * Returns the events after a cursor in the order of their arrival. An event never appears before the cursor of an earlier reply, so a reader
 * that continues there misses none. Throws `VALIDATION_ERROR` for an invalid cursor or limit.
 */
export const adminListEvents: Handler<"adminListEvents"> = async (deps, { query, session }) => {
  const after = readCursor(query.after);
  const limit = readAmounts(query).limit || limitDefault;
  const types = receivableTypes(deps, session);
  const last = await findLastSequence(deps.db);
  const events =
    types.length > 0 ? await listEvents(deps.db, { after, last, types, limit: limit + 1 }) : [];
  const shown = events.slice(0, limit);
  const hasMore = events.length > limit;
  // Passes the events that the caller may not read, so that the next call does not search them again.
  const end = hasMore ? shown.at(-1)?.sequence : Math.max(after, last);
  return {
    reply: {
      events: shown.map(({ body }) => JSON.parse(body) as ApplicationEvent),
      cursor: String(end ?? after),
      hasMore,
    },
  };
};

const nothingSent = { pending: 0, delivered: 0, failed: 0 };

/**
 * Returns a page of events with the states of their deliveries, in the reverse order of their arrival. Throws `VALIDATION_ERROR` for an
 * invalid cursor or limit.
 */
export const adminSearchEvents: Handler<"adminSearchEvents"> = async (deps, { query, session }) => {
  const { cursor, eventType, ...filter } = query;
  const limit = readAmounts(query).limit || limitDefault;
  const before = cursor ? readCursor(cursor, "cursor") : undefined;
  const receivable = receivableTypes(deps, session);
  const types = receivable.filter((type) => eventType === undefined || type === eventType);
  const events =
    types.length > 0
      ? await listNewestEvents(deps.db, { ...filter, before, types, limit: limit + 1 })
      : [];
  const shown = events.slice(0, limit);
  const states = await countLatestDeliveries(
    deps.db,
    shown.map(({ id }) => id),
  );
  const last = events.length > limit ? shown.at(-1) : undefined;
  return {
    reply: {
      events: shown.map(({ id, body, subjectKind, subjectId }) => ({
        event: JSON.parse(body) as ApplicationEvent,
        subject: { kind: subjectKind, id: subjectId },
        webhooks: states.get(id) ?? nothingSent,
      })),
      ...(last && { nextCursor: String(last.sequence) }),
    },
  };
};

/** Throws `EVENT_NOT_FOUND` and `WEBHOOK_NOT_FOUND`. Refuses a caller who may not read the event, or manage the named webhook. */
export const adminReplayEvent: Handler<"adminReplayEvent"> = async (deps, call) => {
  const { session, params, body } = call;
  const event = await findEvent(deps.db, params.id);
  if (!event) throw new WireError("EVENT_NOT_FOUND");
  checkEventReach(deps, session, [event.type]);
  const endpoint =
    body.webhookId === undefined ? undefined : await getEndpoint(deps, { id: body.webhookId });
  if (endpoint) checkEventReach(deps, session, endpoint.events);
  const readable = receivableTypes(deps, session);
  const count = await replayEvent(deps, call, {
    eventId: params.id,
    endpointId: endpoint?.id,
    onlyTypes: readable.length < applicationEventTypes.length ? readable : undefined,
  });
  return { reply: { count } };
};
