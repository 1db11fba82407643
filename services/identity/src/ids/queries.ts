import type { Kysely } from "kysely";
import { sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";
import type { IdModel } from "./new-id.ts";

/** The next `count` numbers of a table's sequence, as text; nobody else gets any of them. */
export const takeNumbers = async (
  db: Kysely<Tables>,
  model: IdModel,
  count: number,
): Promise<string[]> => {
  const sequence = `${schema}.${model}_number`;
  const { rows } = await sql<{ number: string }>`
    select nextval(${sequence}::regclass)::text as number
    from generate_series(1, ${count}::integer)`.execute(db);
  return rows.map(({ number }) => number);
};
