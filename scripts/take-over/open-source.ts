import { createLogger, createPostgresPool } from "@latchkey/service-kit";
import type { PoolClient } from "pg";
import { Refusal } from "../commands/refusal.ts";

const lockWaitMilliseconds = 15_000;
const lockLookSeconds = 0.25;

/** One at a time: two would undo each other's removals. One that was killed may hold it for a moment still. */
const lockSource = async (client: PoolClient): Promise<void> => {
  const giveUpAt = performance.now() + lockWaitMilliseconds;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_xact_lock(hashtext('latchkey import')) as locked",
    );
    if (rows[0]?.locked) return;
    if (performance.now() > giveUpAt)
      throw new Refusal("another import from that database is running.");
    await client.query("select pg_sleep($1)", [lockLookSeconds]);
  }
};

/**
 * Does `work` with another database as it is at one moment, read-only. Whoever writes there is not held up, and what they write
 * meanwhile is not seen.
 */
export const withSource = async <T>(
  url: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> => {
  const logger = createLogger({ service: "import", level: "silent" });
  const pool = createPostgresPool({
    url,
    max: 1,
    logger,
    applicationName: "latchkey-import",
    queryMilliseconds: 0,
  });
  try {
    const client = await pool.connect();
    try {
      await client.query("begin transaction isolation level repeatable read, read only");
      await client.query(`set local statement_timeout = 0`);
      await client.query(`set local idle_in_transaction_session_timeout = 0`);
      await client.query(`set local timezone = 'UTC'`);
      // Rows that a policy hides would pass for rows that are gone: whoever is not shown all of them is refused.
      await client.query(`set local row_security = off`);
      await client.query(`set local work_mem = '64MB'`);
      await lockSource(client);
      return await work(client);
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
};
