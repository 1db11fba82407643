import type pg from "pg";

// BullMQ creates a queue's sequence with its first message, which only the schema's owner may do.

/** Returns the queues that have no sequence yet. */
export const listNewQueues = async (
  client: pg.Client,
  queues: readonly string[],
): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    "select name from unnest($1::text[]) as name where to_regclass('bus.' || bus.job_id_seq_name(name)) is null",
    [queues],
  );
  return rows.map(({ name }) => name);
};

/** Creates the queues' sequences, so that publishers and consumers need no more than read and write privileges. */
export const createQueues = async (client: pg.Client, queues: readonly string[]): Promise<void> => {
  const missing = await listNewQueues(client, queues);
  await client.query("select bus.next_job_id(name) from unnest($1::text[]) as name", [missing]);
};
