import type { SchemaMigration } from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

/** Adds daily totals over all keys, so that no query sums up a million rows per day. */
export const usageTotalMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("usage_total")
      .addColumn("day", "date", (column) => column.primaryKey())
      .addColumn("valid", "bigint", (column) => column.notNull())
      .addColumn("refused", "bigint", (column) => column.notNull())
      .execute();
    await sql`
      insert into ${sql.id(schema, "usage_total")} (day, valid, refused)
      select day, sum(valid), sum(rate_limited + exhausted + expired + disabled + forbidden)
      from ${sql.id(schema, "key_usage")}
      group by day`.execute(db);
  },
};
