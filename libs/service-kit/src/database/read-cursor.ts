import { type RawBuilder, sql, type Transaction } from "kysely";

/** A row may be as large as a request. */
const fetchMax = 200;

/**
 * Yields the rows of a query in batches, so that any number of rows fits in memory. Needs a transaction, which can have only
 * one such cursor at a time.
 */
export async function* readCursor<Row>(
  trx: Transaction<any>, // any tables: the query determines the rows
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
