import type { Room } from "@latchkey/service-kit/deliver";
import { type Kysely, sql } from "kysely";
import { tables, type Tables } from "../../db/tables.ts";

/** A lane that this process has leased. */
export interface LeasedLane {
  endpointId: string;
  subject: string;
  claim: number;
}

/** A leased lane without a pending delivery, because its deliveries were deleted. */
export interface EmptyLane extends LeasedLane {
  id: null;
  /** The number that the lane had when it was leased. */
  pending: number;
}

/** The first delivery of a leased lane, with what sending it takes. */
export interface ClaimedDelivery extends LeasedLane {
  id: string;
  eventId: string;
  /** Number of earlier attempts. */
  attempts: number;
  retryUntil: Date | null;
  body: string;
  organizationId: string | null;
  url: string;
  secretSealed: string;
  formerSecretSealed: string | null;
}

/** The room of a process, by endpoint, and what limits it. */
export interface ClaimOptions extends Room {
  /** Maximum number of simultaneous requests to one endpoint. */
  concurrency: number;
  /** The same for an endpoint whose last attempt failed, so that it holds few resources. */
  failingConcurrency: number;
  /** Whether webhooks of members are sent. */
  membersHaveWebhooks: boolean;
  /** Maximum number of requests of this process to all failing endpoints. */
  failingMax: number;
  /** The same for failing endpoints and those that have never succeeded. */
  unprovenMax: number;
}

/**
 * The endpoints that may send or have requests, with their room. `risk` is 0 for proven ones, 1 for those that have never succeeded, and 2 for
 * failing ones.
 */
const selectRoom = ({
  running,
  concurrency,
  failingConcurrency,
  membersHaveWebhooks,
}: ClaimOptions) => sql`
  select endpoint.id,
    case when endpoint.failing_since is not null then 2 when endpoint.last_success_at is null then 1 else 0 end as risk,
    (case when endpoint.failing_since is null then ${concurrency}::int else ${failingConcurrency}::int end)
      - coalesce(running.count, 0) as free,
    coalesce(running.count, 0) as running,
    endpoint.state = 'active' and (endpoint.rest_until is null or endpoint.rest_until <= now())
      and (${membersHaveWebhooks}::boolean or not endpoint.by_members or endpoint.organization_id is null) as is_ready
  from ${tables.endpoint}
  left join unnest(${[...running.keys()]}::text[], ${[...running.values()]}::int[]) as running (id, count)
    on running.id = endpoint.id
  where endpoint.state = 'active' or running.count > 0`;

/**
 * Leases lanes that are due and returns the first delivery of each. A lane is leased by one process at a time. Each endpoint gets as many
 * as it has room for. Those with the fewest requests come first, so that slow endpoints with many old deliveries do not take the turns of
 * others. Failing endpoints, and new ones, have a share of the requests, so that proven ones always find a free one. The id is null if
 * the deliveries of a lane were deleted.
 */
export const claimDeliveries = async (
  db: Kysely<Tables>,
  options: ClaimOptions,
): Promise<(ClaimedDelivery | EmptyLane)[]> => {
  const { failingMax, unprovenMax, limit, leaseSeconds } = options;
  const { rows } = await sql<ClaimedDelivery | EmptyLane>`
    with room as materialized (${selectRoom(options)}),
    share as (
      select ${failingMax}::int - coalesce(sum(running) filter (where risk = 2), 0)::int as failing,
        ${unprovenMax}::int - coalesce(sum(running) filter (where risk > 0), 0)::int as unproven
      from room
    ),
    waiting as (
      select lane.endpoint_id, lane.subject, lane.due_at, room.risk,
        room.running + row_number() over (partition by room.id order by lane.due_at) as turn
      from room cross join share cross join lateral (
        select endpoint_id, subject, due_at from ${tables.lane}
        where endpoint_id = room.id and due_at <= now() and (lease_until is null or lease_until <= now())
        order by due_at
        limit greatest(0, least(room.free, ${limit}::int,
          case when room.risk > 0 then share.unproven end, case when room.risk = 2 then share.failing end))
        for update skip locked
      ) as lane
      where room.is_ready and room.free > 0
    ),
    placed as (
      select waiting.*,
        row_number() over (partition by risk = 2 order by turn, due_at) as failing_place,
        row_number() over (partition by risk > 0 order by risk, turn, due_at) as unproven_place
      from waiting
    ),
    due as (
      select endpoint_id, subject from placed cross join share
      where (risk < 2 or failing_place <= share.failing) and (risk = 0 or unproven_place <= share.unproven)
      order by turn, due_at limit ${limit}
    ),
    leased as (
      update ${tables.lane} set lease_until = now() + make_interval(secs => ${leaseSeconds}), claim = lane.claim + 1
      from due where lane.endpoint_id = due.endpoint_id and lane.subject = due.subject
      returning lane.endpoint_id, lane.subject, lane.claim, lane.pending
    )
    select leased.endpoint_id, leased.subject, leased.claim, leased.pending, first.id, first.event_id, first.attempts,
      first.retry_until, first.body, endpoint.organization_id, endpoint.url, endpoint.secret_sealed,
      case when endpoint.former_secret_until > now() then endpoint.former_secret_sealed end as former_secret_sealed
    from leased
    join ${tables.endpoint} on endpoint.id = leased.endpoint_id
    left join lateral (
      select delivery.id, event_id, attempts, retry_until, body from ${tables.delivery}
      join ${tables.event} on event.id = event_id
      where endpoint_id = leased.endpoint_id and state = 'pending'
        and delivery.subject_kind || ':' || delivery.subject_id = leased.subject
      order by delivery.sequence limit 1
    ) as first on true`.execute(db);
  return rows;
};

/** Ends leases without an outcome, because the process stops. The deliveries are due again. */
export const releaseLanes = async (
  db: Kysely<Tables>,
  lanes: readonly LeasedLane[],
): Promise<void> => {
  await sql`
    update ${tables.lane} set lease_until = null
    from jsonb_to_recordset(${JSON.stringify(lanes.map(({ endpointId, subject, claim }) => ({ endpointId, subject, claim })))}::jsonb)
      as held ("endpointId" text, subject text, claim int)
    where lane.endpoint_id = held."endpointId" and lane.subject = held.subject and lane.claim = held.claim`.execute(
    db,
  );
};

/** Deletes a leased lane without deliveries. One that got a delivery since the lease is due again instead. */
export const deleteEmptyLane = async (db: Kysely<Tables>, lane: EmptyLane): Promise<void> => {
  const { numDeletedRows } = await db
    .deleteFrom("lane")
    .where("endpointId", "=", lane.endpointId)
    .where("subject", "=", lane.subject)
    .where("claim", "=", lane.claim)
    .where("pending", "=", lane.pending)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) await releaseLanes(db, [lane]);
};
