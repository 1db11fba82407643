import type { PostgresConnection } from "bullmq";
import type { BullmqStore } from "./bullmq-store.ts";
import type { FailedMessage, QueuePace } from "./bus.ts";

type FailedRow = Omit<FailedMessage, "failedAt"> & { failedAt: string };

const listText = `
select id, name, attempts_made as attempts, coalesce(failed_reason, '') as reason, finished_at_ms as "failedAt"
from bus.job
where queue = $1 and state = 'failed'
  and ($3::bigint is null or finished_at_ms <= $3 and (finished_at_ms, id collate "C") < ($3, $4::text))
order by finished_at_ms desc, id collate "C" desc
limit $2`;

/** Leaves the same columns as BullMQ does for a completed job. */
const completeText = `
update bus.job set state = 'completed', data = '{}', failed_reason = null, finished_at_ms = $3
where queue = $1 and id = $2 and state = 'failed'`;

/** Each part reads an index of BullMQ. The next job is the first of `job_ready_idx`. */
const paceText = `
select
  count(*) filter (where finished_at_ms >= $3)::int as "handledLastMinute",
  count(*)::int as "handledLastFiveMinutes",
  (
    select greatest(added_at_ms, processed_at_ms)
    from bus.job where queue = $1 and state = 'waiting' order by priority, seq limit 1
  ) as "oldestWaitingAt"
from bus.job
where queue = $1 and state = 'completed' and finished_at_ms >= $2`;

type PaceRow = Omit<QueuePace, "oldestWaitingAt"> & { oldestWaitingAt: string | null };

/** Operator access to the jobs of BullMQ on Postgres. */
export const createPostgresReads = (
  pool: PostgresConnection["pool"],
): Pick<BullmqStore, "completeFailed" | "listFailed" | "readPace"> => ({
  listFailed: async (queue, { limit, after }) => {
    const place = [after?.failedAt.getTime() ?? null, after?.id ?? null];
    const { rows } = await pool.query<FailedRow>(listText, [queue, limit, ...place]);
    return rows.map(({ failedAt, id, name, attempts, reason }) => ({
      id,
      name,
      failedAt: new Date(Number(failedAt)),
      attempts,
      reason,
    }));
  },
  completeFailed: async (queue, id) =>
    (await pool.query(completeText, [queue, id, Date.now()])).rowCount === 1,
  readPace: async (queue, { minute, fiveMinutes }) => {
    const { rows } = await pool.query<PaceRow>(paceText, [queue, fiveMinutes, minute]);
    const { handledLastMinute = 0, handledLastFiveMinutes = 0, oldestWaitingAt } = rows[0] ?? {};
    const at = oldestWaitingAt ? new Date(Number(oldestWaitingAt)) : undefined;
    return { handledLastMinute, handledLastFiveMinutes, oldestWaitingAt: at };
  },
});
