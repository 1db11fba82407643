import type pg from "pg";

// BullMQ makes a sequence for a queue when its first message comes, which only the owner of the schema may.

/** The queues that BullMQ has not seen yet. */
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

/** Makes what the queues need, so that whoever publishes and consumes may do no more than read and write. */
export const createQueues = async (client: pg.Client, queues: readonly string[]): Promise<void> => {
  const missing = await listNewQueues(client, queues);
  await client.query("select bus.next_job_id(name) from unnest($1::text[]) as name", [missing]);
};
