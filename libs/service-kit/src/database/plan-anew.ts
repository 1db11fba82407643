import type { Compilable, Kysely } from "kysely";

/**
 * Runs a query that Postgres plans for the values of this very call: which index is the right one depends on how many rows
 * they fit. A statement that begins with a comment runs without a name, so no plan of other values is kept for it.
 */
export const planAnew = async <Row>(
  db: Pick<Kysely<never>, "executeQuery">,
  query: Compilable<Row>,
  prefix = "",
): Promise<Row[]> => {
  const compiled = query.compile();
  const text = `/* planned anew */ ${prefix}${compiled.sql}`;
  const { rows } = await db.executeQuery<Row>({ ...compiled, sql: text });
  return rows;
};
