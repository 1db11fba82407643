import { type Kysely, sql } from "kysely";
import { schema, tables, type Tables } from "../../db/tables.ts";

/** The outcome of one attempt. */
export interface Outcome {
  endpointId: string;
  subject: string;
  claim: number;
  deliveryId: string;
  /** The number of the attempt, from 1. */
  number: number;
  state: "pending" | "delivered" | "failed";
  startedAt: string;
  milliseconds: number;
  status: number | null;
  response: string | null;
  error: string | null;
  /** Seconds until the next attempt of a pending delivery. */
  delaySeconds: number;
  /** Seconds for which a delivery is retried, counted from its first failure. */
  retrySeconds: number;
  /** Seconds for which the receiver asked to be left alone. */
  restSeconds: number;
}

const outcomeColumns = sql`
  "endpointId" text, subject text, claim int, "deliveryId" text, number int, state text, "startedAt" timestamptz,
  milliseconds int, status int, response text, error text, "delaySeconds" float8, "retrySeconds" float8`;

/**
 * Records attempts with their deliveries and lanes. An outcome whose lane was leased again in the meantime is dropped, because the delivery
 * is being sent by another process. The count of attempts is compared too: a lane that was deleted and created again counts its leases anew.
 * An outcome of a deleted delivery is dropped, and the lease of its lane ends by itself.
 */
const settleLanes = async (
  trx: Kysely<Tables>,
  outcomes: readonly Outcome[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    with outcome as (
      select * from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as given (${outcomeColumns})
    ),
    held as (
      select lane.pending, outcome.*
      from ${tables.lane} join outcome
        on lane.endpoint_id = outcome."endpointId" and lane.subject = outcome.subject and lane.claim = outcome.claim
      join ${tables.delivery} on delivery.id = outcome."deliveryId" and delivery.state = 'pending'
        and delivery.attempts = outcome.number - 1
      order by lane.endpoint_id, lane.subject for update of lane, delivery
    ),
    settled as (
      update ${tables.delivery} set
        state = held.state, attempts = held.number, last_status = held.status, last_error = held.error,
        retry_until = case when held.state = 'delivered' then null
          else coalesce(delivery.retry_until, now() + make_interval(secs => held."retrySeconds")) end,
        settled_at = case when held.state = 'pending' then null else now() end
      from held where delivery.id = held."deliveryId"
    ),
    recorded as (
      insert into ${tables.attempt} (delivery_id, number, started_at, duration_milliseconds, status, response, error)
      select "deliveryId", number, "startedAt", milliseconds, status, response, error from held
      on conflict do nothing
    ),
    advanced as (
      update ${tables.lane} set
        pending = lane.pending - (held.state <> 'pending')::int,
        lease_until = null,
        due_at = case when held.state = 'pending' then now() + make_interval(secs => held."delaySeconds") else now() end
      from held
      where lane.endpoint_id = held."endpointId" and lane.subject = held.subject
        and (held.state = 'pending' or held.pending > 1)
    ),
    emptied as (
      delete from ${tables.lane} using held
      where lane.endpoint_id = held."endpointId" and lane.subject = held.subject
        and held.state <> 'pending' and held.pending <= 1
    )
    select "deliveryId" as id from held`.execute(trx);
  return new Set(rows.map(({ id }) => id));
};

/** Failures in a row from which an endpoint is tried ever less often, and the longest rest in seconds. */
const failuresMax = 10;
const restSecondsMax = 60;

interface Tally {
  delivered: number;
  failed: number;
  answered: number;
  total: number;
  max: number;
  rest: number;
}

const tallyOf = (outcomes: readonly Outcome[]): Map<string, Tally> => {
  const tallies = new Map<string, Tally>();
  for (const { endpointId, state, status, milliseconds, restSeconds } of outcomes) {
    const none: Tally = { delivered: 0, failed: 0, answered: 0, total: 0, max: 0, rest: 0 };
    const tally = tallies.get(endpointId) ?? none;
    tally[state === "delivered" ? "delivered" : "failed"] += 1;
    if (status !== null) {
      tally.answered += 1;
      tally.total += milliseconds;
      tally.max = Math.max(tally.max, milliseconds);
    }
    tally.rest = Math.max(tally.rest, restSeconds);
    tallies.set(endpointId, tally);
  }
  return tallies;
};

/** The time of the last success is exact to this, so that an endpoint that continues to succeed is rarely written. */
const successSeconds = 60;

/**
 * Records the health of endpoints, in one order of locks. Writes little for an endpoint that continues to succeed. A rest is never shortened, because requests that ran when the receiver asked for it may end otherwise.
 */
const settleEndpoints = async (trx: Kysely<Tables>, tallies: Map<string, Tally>): Promise<void> => {
  const rows = [...tallies].map(([id, { delivered, failed, rest }]) => ({
    id,
    delivered,
    failed,
    rest,
  }));
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as given (id text, delivered int, failed int, rest float8)
    ),
    locked as (
      select endpoint.id, given.delivered, given.failed, given.rest,
        case when given.delivered > 0 then 0 else endpoint.failure_count + given.failed end as failures
      from ${tables.endpoint} join given on given.id = endpoint.id
      where given.failed > 0 or endpoint.failing_since is not null or endpoint.last_success_at is null
        or endpoint.last_success_at < now() - make_interval(secs => ${successSeconds})
      order by endpoint.id for update of endpoint
    )
    update ${tables.endpoint} set
      failure_count = locked.failures,
      last_success_at = case when locked.delivered > 0 then now() else endpoint.last_success_at end,
      last_failure_at = case when locked.failed > 0 then now() else endpoint.last_failure_at end,
      failing_since = case when locked.delivered > 0 then null else coalesce(endpoint.failing_since, now()) end,
      rest_until = greatest(endpoint.rest_until, case
        when locked.rest > 0 then now() + make_interval(secs => locked.rest)
        when locked.failures >= ${failuresMax}
          then now() + make_interval(secs => least(${restSecondsMax}, power(2, least(6, (locked.failures - ${failuresMax}) / 5))))
      end)
    from locked where endpoint.id = locked.id`.execute(trx);
};

const settleHours = async (trx: Kysely<Tables>, tallies: Map<string, Tally>): Promise<void> => {
  const rows = [...tallies].map(([id, { delivered, failed, answered, total, max }]) => ({
    id,
    delivered,
    failed,
    answered,
    total,
    max,
  }));
  await sql`
    insert into ${sql.id(schema, "endpoint_hour")} as counted (
      endpoint_id, hour, delivered, failed_attempts, answered, total_milliseconds, max_milliseconds
    )
    select id, date_trunc('hour', now()), delivered, failed, answered, total, max
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (id text, delivered int, failed int, answered int, total int, max int)
    order by id
    on conflict (endpoint_id, hour) do update set
      delivered = counted.delivered + excluded.delivered,
      failed_attempts = counted.failed_attempts + excluded.failed_attempts,
      answered = counted.answered + excluded.answered,
      total_milliseconds = counted.total_milliseconds + excluded.total_milliseconds,
      max_milliseconds = greatest(counted.max_milliseconds, excluded.max_milliseconds)`.execute(
    trx,
  );
};

/** Records the outcomes of a batch of attempts, all or none. */
export const settleAttempts = (db: Kysely<Tables>, outcomes: readonly Outcome[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const settled = await settleLanes(trx, outcomes);
    const tallies = tallyOf(outcomes.filter(({ deliveryId }) => settled.has(deliveryId)));
    if (tallies.size === 0) return;
    await settleEndpoints(trx, tallies);
    await settleHours(trx, tallies);
  });
