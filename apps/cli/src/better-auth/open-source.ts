import { setTimeout as delay } from "node:timers/promises";
import { createLogger, createPostgresPool } from "@latchkey/service-kit";
import type { PoolClient } from "pg";
import { Refusal } from "../commands/refusal.ts";

const lockWaitMilliseconds = 15_000;
const lockLookMilliseconds = 250;

const begin = async (client: PoolClient): Promise<boolean> => {
  await client.query("begin transaction isolation level repeatable read, read only");
  await client.query(`set local statement_timeout = 0`);
  await client.query(`set local idle_in_transaction_session_timeout = 0`);
  await client.query(`set local timezone = 'UTC'`);
  // With row security, hidden rows would look deleted. Off, a query fails for a user who cannot read all rows.
  await client.query(`set local row_security = off`);
  await client.query(`set local work_mem = '64MB'`);
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('latchkey import')) as locked",
  );
  return rows[0]?.locked ?? false;
};

/**
 * Only one import runs at a time, because two would undo each other's deletions. A killed import may hold the lock for another moment. Each
 * try is a separate transaction, because its first statement fixes the snapshot. A single waiting transaction would see the state before
 * the other import.
 */
const beginAlone = async (client: PoolClient): Promise<void> => {
  const giveUpAt = performance.now() + lockWaitMilliseconds;
  while (!(await begin(client))) {
    await client.query("rollback");
    if (performance.now() > giveUpAt)
      throw new Refusal("another import from that database is running.");
    await delay(lockLookMilliseconds);
  }
};

/** Calls `work` with a read-only snapshot of another database. Writers there are not blocked, and their changes are not visible. */
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
      await beginAlone(client);
      return await work(client);
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
};
