import type { SchemaMigration } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

const count = "bigint";

const createTables = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("daily_count")
    .addColumn("day", "date", (column) => column.primaryKey())
    .addColumn("sign_ups", count, (column) => column.notNull().defaultTo(0))
    .addColumn("sign_ins", count, (column) => column.notNull().defaultTo(0))
    .addColumn("sign_ins_failed", count, (column) => column.notNull().defaultTo(0))
    .addColumn("active_users", count, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("active_user")
    .addColumn("day", "date", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("active_user_primary_key", ["day", "user_id"])
    .execute();
};

/** Counts the earlier days by the audit, which has no refused sign-ins. */
const countBefore = async (db: Kysely<any>): Promise<void> => {
  const audit = sql.id(schema, "audit");
  const day = sql`(occurred_at at time zone 'UTC')::date`;
  const isSignUp = sql`action = 'user.created' and actor_kind = 'user' and actor_id = subject_id`;
  const isSignIn = sql`action = 'session.created'`;
  await sql`
    insert into ${sql.id(schema, "daily_count")} (day, sign_ups, sign_ins, active_users)
    select ${day}, count(*) filter (where ${isSignUp}), count(*) filter (where ${isSignIn}),
      count(distinct actor_id) filter (where ${isSignIn})
    from ${audit} where (${isSignUp}) or (${isSignIn}) group by 1`.execute(db);
  await sql`
    insert into ${sql.id(schema, "active_user")} (day, user_id)
    select distinct ${day}, actor_id from ${audit}
    where ${isSignIn} and ${day} >= (now() at time zone 'UTC')::date`.execute(db);
};

/** Adds the counts by day, and the users who were counted as active lately. */
export const dailyCountsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await createTables(db);
    await countBefore(db);
  },
};
