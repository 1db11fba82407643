import { namesOf } from "@latchkey/service-kit/database";
import { equalsLead, type List, selectColumns } from "@latchkey/service-kit/lists";
import { type Kysely, type Selectable, sql } from "kysely";
import {
  type AttemptTable,
  deliveryColumns,
  type DeliveryTable,
  schema,
  tables,
  type Tables,
} from "../db/tables.ts";

export type DeliveryRow = Pick<
  Selectable<DeliveryTable>,
  "isReplay" | keyof typeof deliveryColumns
>;

const shown = [...namesOf(deliveryColumns), "isReplay"].map(
  (name) => `delivery.${name}` as `delivery.${keyof DeliveryRow}`,
);

interface DeliveryFilter {
  endpointId?: string | undefined;
  organizationId?: string | undefined;
  state?: string | undefined;
  eventType?: string | undefined;
  /** Leaves out the deliveries of other events. */
  eventTypes?: readonly string[] | undefined;
  eventId?: string | undefined;
  subjectId?: string | undefined;
}

const textLead = (column: string, value: string) =>
  equalsLead(sql.ref(column), sql`${value}::text`);

/** All deliveries, newest first by default. */
export const deliveryList: List<DeliveryRow, DeliveryFilter> = {
  schema,
  table: "delivery",
  select: selectColumns(shown),
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "desc" },
  where: ({ endpointId, state, eventType, eventTypes, eventId, subjectId }) => [
    endpointId && textLead("endpointId", endpointId),
    eventId && textLead("eventId", eventId),
    subjectId && textLead("subjectId", subjectId),
    state && { ...textLead("state", state), isMeasured: true },
    eventType && { sql: sql<boolean>`${sql.ref("eventType")} = ${eventType}`, isMeasured: true },
    eventTypes && {
      sql: sql<boolean>`${sql.ref("eventType")} = any(${[...eventTypes]}::text[])`,
      isMeasured: true,
    },
  ],
};

export const findDelivery = (db: Kysely<Tables>, id: string): Promise<DeliveryRow | undefined> =>
  db.selectFrom("delivery").select(shown).where("id", "=", id).executeTakeFirst();

export type AttemptRow = Omit<Selectable<AttemptTable>, "deliveryId">;

/** Returns the attempts of a delivery, latest first. */
export const listAttempts = (db: Kysely<Tables>, deliveryId: string): Promise<AttemptRow[]> =>
  db
    .selectFrom("attempt")
    .select(["number", "startedAt", "durationMilliseconds", "status", "response", "error"])
    .where("deliveryId", "=", deliveryId)
    .orderBy("number", "desc")
    .execute();

/** Returns the text that is sent for an event, or undefined if the event is deleted. */
export const findBody = async (db: Kysely<Tables>, eventId: string): Promise<string | undefined> =>
  (await db.selectFrom("event").select("body").where("id", "=", eventId).executeTakeFirst())?.body;

const countLanes = sql`
  lanes as (
    insert into ${tables.lane} (endpoint_id, subject, pending, due_at, claim)
    select endpoint_id, subject_kind || ':' || subject_id, count(*)::int, now(), 0
    from revived group by 1, 2 order by 1, 2
    on conflict (endpoint_id, subject) do update set pending = lane.pending + excluded.pending, due_at = now()
  )`;

const revive = sql`
  update ${tables.delivery} set state = 'pending', settled_at = null, retry_until = null`;

/** Queues a failed delivery again. Returns false if it has not failed. Of concurrent calls, one succeeds. */
export const reviveDelivery = async (db: Kysely<Tables>, id: string): Promise<boolean> => {
  const { rows } = await sql`
    with revived as (
      ${revive} where id = ${id} and state = 'failed' returning endpoint_id, subject_kind, subject_id
    ), ${countLanes}
    select from revived`.execute(db);
  return rows.length > 0;
};

/** Queues up to `limit` failed deliveries of an endpoint that were settled since a time. Returns the number. */
export const reviveFailed = async (
  db: Kysely<Tables>,
  { endpointId, since, limit }: { endpointId: string; since: Date; limit: number },
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with revived as (
      ${revive} where id in (
        select id from ${tables.delivery}
        where endpoint_id = ${endpointId} and state = 'failed' and settled_at >= ${since}
        order by sequence limit ${limit} for update skip locked
      ) and state = 'failed'
      returning endpoint_id, subject_kind, subject_id
    ), ${countLanes}
    select count(*)::int as count from revived`.execute(db);
  return rows[0]?.count ?? 0;
};

type StateCounts = Record<DeliveryRow["state"], number>;

/** Returns for each event the number of endpoints whose latest delivery of it is in each state. Events without deliveries are left out. */
export const countLatestDeliveries = async (
  db: Kysely<Tables>,
  eventIds: readonly string[],
): Promise<Map<string, StateCounts>> => {
  const { rows } = await sql<StateCounts & { eventId: string }>`
    select event_id,
      (count(*) filter (where state = 'pending'))::int as pending,
      (count(*) filter (where state = 'delivered'))::int as delivered,
      (count(*) filter (where state = 'failed'))::int as failed
    from (
      select distinct on (event_id, endpoint_id) event_id, state from ${tables.delivery}
      where event_id = any(${[...eventIds]}::text[]) order by event_id, endpoint_id, sequence desc
    ) as latest
    group by event_id`.execute(db);
  return new Map(rows.map(({ eventId, ...counts }) => [eventId, counts]));
};

/** Returns the number of pending deliveries of an endpoint. Counting stops at 10,000. */
export const countPendingOf = async (db: Kysely<Tables>, endpointId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(pending), 0)::int as count from (
      select pending from ${tables.lane} where endpoint_id = ${endpointId} limit 10000
    ) as lanes`.execute(db);
  return Math.min(rows[0]?.count ?? 0, 10_000);
};

/** Counting stops here, so that a scrape costs little. */
export const countedMax = 100_000;

/** Returns the number of pending deliveries, up to `countedMax`. */
export const countPending = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${tables.delivery} where state = 'pending' limit ${countedMax}
    ) as pending`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Returns the age of the oldest due delivery of the active endpoints that do not fail. Reads one row of an index for each. */
export const findOldestDue = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(lane.due_at)), 0)::float8 as seconds
    from ${tables.endpoint} cross join lateral (
      select due_at from ${tables.lane} where endpoint_id = endpoint.id order by due_at limit 1
    ) as lane
    where endpoint.state = 'active' and endpoint.failing_since is null`.execute(db);
  return Math.max(0, rows[0]?.seconds ?? 0);
};

/** Returns the number of endpoints in each state. */
export const countEndpoints = (db: Kysely<Tables>) =>
  db
    .selectFrom("endpoint")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .groupBy("state")
    .execute();
