import type { Compilable, Kysely } from "kysely";

/**
 * Runs a query with a plan for this call's values, because the best index depends on the number of matching rows. A statement
 * that begins with a comment runs unnamed, so that Postgres keeps no plan of other values.
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
