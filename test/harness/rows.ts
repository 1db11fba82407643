import { createPostgresPool } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";

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

type Queried = Pick<Rows, "query">;

/** Marks the address of a user as verified. The user is named by id or address. */
export const verifyAddress = ({ query }: Queried, user: string) =>
  query("update identity.user set email_verified = true where $1 in (id, email)", user);

/** Makes the sessions of a user stale, as if the last sign-in had been two days ago. */
export const makeSessionsStale = ({ query }: Queried, userId: string) =>
  query(
    "update identity.session set authenticated_at = now() - interval '2 days' where user_id = $1",
    userId,
  );
