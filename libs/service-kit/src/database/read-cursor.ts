import { type RawBuilder, sql, type Transaction } from "kysely";

/** Rows may hold as much as a request. */
const fetchMax = 200;

/**
 * The rows of a query, some at a time and no more than are taken, so that any number of them fits in memory. One at a time of a
 * transaction, which it needs.
 */
export async function* readCursor<Row>(
  trx: Transaction<any>, // whatever the tables: the query says what rows there are
  query: RawBuilder<Row>,
): AsyncGenerator<Row[]> {
  await sql`declare latchkey_rows no scroll cursor for ${query}`.execute(trx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(fetchMax)} from latchkey_rows`.execute(trx);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close latchkey_rows`.execute(trx);
}
