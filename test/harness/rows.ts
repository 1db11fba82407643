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

/** Returns the number of rows of each table and a hash that any change of a row changes. It needs no order, which would cost a sort. */
export const hashTables = (rows: Rows, tables: readonly string[]): Promise<unknown> =>
  rows.query(
    tables
      .map(
        (table) =>
          `select '${table}' as table, count(*), sum(hashtextextended(r::text, 0)) from ${table} r`,
      )
      .join(" union all ") + " order by 1",
  );
