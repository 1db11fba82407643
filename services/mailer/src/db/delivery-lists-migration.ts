import { inFirstRelease, type SchemaMigration, trigramOperators } from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

const delivery = sql.id(schema, "delivery");

/**
 * Adds indexes that make lists of a million mails as fast as those of a few. Addresses are ordered by code point, so that an
 * index serves prefixes.
 */
const indexDeliveries = async (db: Kysely<any>): Promise<void> => {
  const recipient = sql`lower(recipient)`;
  await sql`
    create index delivery_by_state on ${delivery} (state, created_at, id)`.execute(db);
  await sql`
    create index delivery_by_lower_recipient on ${delivery}
    ((${recipient} collate "C"), created_at, id)`.execute(db);
  await sql`
    create index delivery_recipient_trigrams on ${delivery}
    using gin ((${recipient}) collate "C" ${await trigramOperators(db)}) with (gin_pending_list_limit = 64)`.execute(
    db,
  );
  // Raises the statistics target of the addresses, by which the planner estimates the matches of a term.
  await sql`
    alter index ${sql.id(schema, "delivery_recipient_trigrams")} alter column 1 set statistics 1000`.execute(
    db,
  );
  await sql`drop index ${sql.id(schema, "delivery_by_recipient")}`.execute(db);
};

/** Mails are deleted 30 days after they are settled. Their counts remain. */
const countDeliveries = async (db: Kysely<any>): Promise<void> => {
  const day = sql.id(schema, "delivery_day");
  await db.schema
    .createTable("delivery_day")
    .addColumn("day", "date", (column) => column.primaryKey())
    .addColumn("sent", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("failed", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("captured", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`
    insert into ${day} (day, sent, failed, captured)
    select (settled_at at time zone 'UTC')::date,
      count(*) filter (where state = 'sent'),
      count(*) filter (where state = 'failed'),
      count(*) filter (where state = 'captured')
    from ${delivery} where settled_at is not null group by 1`.execute(db);
};

/** Adds what admins need to search, page and count mails, and the columns of their retries. */
export const deliveryListsMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the schema, so no row types apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("delivery")
      .addColumn("event", "text")
      .addColumn("attempts_forgiven", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await indexDeliveries(db);
    await countDeliveries(db);
  },
};
