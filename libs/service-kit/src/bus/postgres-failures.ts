import type { PostgresConnection } from "bullmq";
import type { BullmqStore } from "./bullmq-store.ts";
import type { FailedMessage } from "./bus.ts";

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

/** Operator access to the failed jobs of BullMQ on Postgres. */
export const createPostgresFailures = (
  pool: PostgresConnection["pool"],
): Pick<BullmqStore, "completeFailed" | "listFailed"> => ({
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
});
