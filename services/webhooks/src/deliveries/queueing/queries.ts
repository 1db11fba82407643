import { type Kysely, type RawBuilder, sql } from "kysely";
import { tables, type Tables } from "../../db/tables.ts";

interface Queueing {
  matched: RawBuilder<unknown>;
  isReplay: boolean;
  /** Makes the lanes due at once, also those that wait after a failure. */
  isUrgent?: boolean;
  now: Date;
}

/**
 * Queues matched events: one delivery each, and their lanes. `matched` selects `endpoint_id`, `event_id`, `event_type`, `subject_kind`,
 * `subject_id` and `place`, by which they are sent. Lanes are locked in one order everywhere, so that transactions do not deadlock.
 */
const queueMatched = async (
  trx: Kysely<Tables>,
  { matched, isReplay, isUrgent = false, now }: Queueing,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with matched as materialized (${matched}),
    queued as (
      insert into ${tables.delivery} (
        id, endpoint_id, event_id, event_type, subject_kind, subject_id, state, attempts, is_replay, created_at
      )
      select replace(gen_random_uuid()::text, '-', ''), endpoint_id, event_id, event_type, subject_kind, subject_id,
        'pending', 0, ${isReplay}, ${now}
      from matched order by place, endpoint_id
      returning 1
    ),
    lanes as (
      insert into ${tables.lane} (endpoint_id, subject, pending, due_at, claim)
      select endpoint_id, subject_kind || ':' || subject_id, count(*)::int, now(), 0
      from matched group by 1, 2 order by 1, 2
      on conflict (endpoint_id, subject) do update set
        pending = lane.pending + excluded.pending,
        due_at = case when ${isUrgent} then now() else lane.due_at end
    )
    select count(*)::int as count from queued`.execute(trx);
  return rows[0]?.count ?? 0;
};

/** Whether an endpoint receives an event by its filter and its organization. */
const wants = sql`(endpoint.events = '{}' or event.type = any(endpoint.events))
  and (endpoint.organization_id is null or endpoint.organization_id = event.organization_id)`;

const matchedColumns = sql`
  endpoint.id as endpoint_id, event.id as event_id, event.type as event_type, event.subject_kind, event.subject_id,
  event.sequence as place`;

/** Queues events for the endpoints that want them. A disabled endpoint gets none. */
export const queueEvents = (
  trx: Kysely<Tables>,
  { eventIds, now }: { eventIds: readonly string[]; now: Date },
): Promise<number> =>
  queueMatched(trx, {
    isReplay: false,
    now,
    matched: sql`
      select ${matchedColumns}
      from ${tables.event} join ${tables.endpoint} on endpoint.state <> 'disabled' and ${wants}
      where event.id = any(${[...eventIds]}::text[])`,
  });

/** An event to send again. */
export interface ReplayedEvent {
  eventId: string;
  /** Undefined for all endpoints that want the event. */
  endpointId: string | undefined;
  /** Leaves out endpoints that receive other types too. Undefined for none. */
  onlyTypes: readonly string[] | undefined;
}

/** Queues an event again, to be sent at once, for endpoints that want it now. Returns their number. */
export const requeueEvent = (
  trx: Kysely<Tables>,
  { eventId, endpointId, onlyTypes, now }: ReplayedEvent & { now: Date },
): Promise<number> =>
  queueMatched(trx, {
    isReplay: true,
    isUrgent: true,
    now,
    matched: sql`
      select ${matchedColumns}
      from ${tables.event} join ${tables.endpoint} on endpoint.state <> 'disabled' and ${wants}
        and ${endpointId === undefined ? sql`true` : sql`endpoint.id = ${endpointId}`}
        and ${
          onlyTypes === undefined
            ? sql`true`
            : sql`endpoint.events <> '{}' and endpoint.events <@ ${[...onlyTypes]}::text[]`
        }
      where event.id = ${eventId}`,
  });

/** Queues an event for one endpoint, whatever its filter, to be sent at once. Returns the id of the delivery. */
export const queueEventFor = async (
  trx: Kysely<Tables>,
  { endpointId, eventId, now }: { endpointId: string; eventId: string; now: Date },
): Promise<string> => {
  await queueMatched(trx, {
    isReplay: false,
    isUrgent: true,
    now,
    matched: sql`
      select ${endpointId}::text as endpoint_id, id as event_id, type as event_type, subject_kind, subject_id,
        sequence as place
      from ${tables.event} where id = ${eventId}`,
  });
  const { id } = await trx
    .selectFrom("delivery")
    .select("id")
    .where("eventId", "=", eventId)
    .where("endpointId", "=", endpointId)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
};

/** Events of a period that an endpoint wants now, without test events, after a place. */
export interface WantedEvents {
  endpointId: string;
  from: Date;
  to: Date;
  after: number;
  limit: number;
}

const selectWanted = ({ endpointId, from, to, after, limit }: WantedEvents) => sql`
  select event.* from ${tables.event} join ${tables.endpoint} on endpoint.id = ${endpointId}
    and ${wants}
  where event.occurred_at >= ${from} and event.occurred_at < ${to} and event.subject_kind <> 'webhook'
    and event.sequence > ${after}
  order by event.sequence limit ${limit}`;

/** Returns the place of the last of the first `limit` wanted events, and their number. */
export const findWanted = async (
  trx: Kysely<Tables>,
  wanted: WantedEvents,
): Promise<{ last: number | null; count: number }> => {
  const { rows } = await sql<{ last: number | null; count: number }>`
    select max(sequence) as last, count(*)::int as count
    from (${selectWanted(wanted)}) as wanted`.execute(trx);
  return rows[0] ?? { last: null, count: 0 };
};

/** Queues the wanted events up to a place again, in their order. Returns their number. */
export const queueWanted = (
  trx: Kysely<Tables>,
  { last, now, ...wanted }: WantedEvents & { last: number; now: Date },
): Promise<number> =>
  queueMatched(trx, {
    isReplay: true,
    now,
    matched: sql`
      select ${wanted.endpointId}::text as endpoint_id, id as event_id, type as event_type, subject_kind,
        subject_id, sequence as place
      from (${selectWanted(wanted)}) as wanted where sequence <= ${last}`,
  });
