import { createLogger, createPostgresPool } from "@latchkey/service-kit";

/** Opens a pool on a system's database, for locks and transactions. */
export const openPool = (url: string, max = 2) =>
  createPostgresPool({
    url,
    max,
    logger: createLogger({ service: "test", level: "silent" }),
    applicationName: "test",
  });

/** Opens a system's database, to age rows or to count hidden ones. */
export const openRows = ({ databaseUrl }: { databaseUrl: string }) => {
  const pool = openPool(databaseUrl, 1);
  return {
    query: async (text: string, ...values: unknown[]) =>
      (await pool.query<Record<string, unknown>>(text, values)).rows,
    close: () => pool.end(),
  };
};
export type Rows = ReturnType<typeof openRows>;
