import { trigramOperators } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

const user = sql.id(schema, "user");
const pendingList = sql`gin_pending_list_limit = 64`;

/**
 * Creates a function that returns every pair of adjacent characters. Trigrams need terms of at least three letters. Two
 * letters are what users type on the way there, and a whole name in Chinese.
 */
const createLetterPairs = async (db: Kysely<any>): Promise<void> => {
  await sql`
    create function ${sql.id(schema, "letter_pairs")}(value text) returns text[]
    language plpgsql immutable strict parallel safe as $$
    declare
      pairs text[] := '{}';
    begin
      for position in 1 .. length(value) - 1 loop
        pairs := pairs || substr(value, position, 2);
      end loop;
      return pairs;
    end $$`.execute(db);
};

/**
 * Creates the indexes for searches. Pending lists (in kB) make sign-ups cheaper. They are minimal, because each search
 * reads them, and the sign-up that fills one waits until it is merged.
 */
const indexSearch = async (db: Kysely<any>): Promise<void> => {
  const operators = await trigramOperators(db);
  await createLetterPairs(db);
  const pairs = sql.id(schema, "letter_pairs");
  const trigrams = { email: sql`email`, name: sql`lower(name)`, role: sql`lower(role)` };
  for (const [column, text] of Object.entries(trigrams))
    await sql`
      create index ${sql.id(`user_${column}_trigrams`)} on ${user}
      using gin ((${text}) collate "C" ${operators}) with (${pendingList})`.execute(db);
  for (const column of ["email", "name"] as const)
    await sql`
      create index ${sql.id(`user_${column}_pairs`)} on ${user}
      using gin (${pairs}(${trigrams[column]})) with (${pendingList})`.execute(db);
};

/**
 * Creates the indexes for sorting and filtering. Text is ordered by code point, so that an index supports prefixes and
 * does not depend on the machine's locale. The keys are separate columns, because prepared statements of the previous
 * version would fail if their columns changed. The key of a name is its beginning in lower case, because an index entry
 * has a maximum length.
 */
const indexOrders = async (db: Kysely<any>): Promise<void> => {
  await sql`
    alter table ${user}
    add column email_key text collate "C" not null generated always as (email) stored,
    add column name_key text collate "C" not null generated always as (left(lower(name), 100)) stored`.execute(
    db,
  );
  const orders = {
    user_by_created_at: sql`created_at, id`,
    user_by_updated_at: sql`updated_at, id`,
    user_by_email: sql`email_key, id`,
    user_by_name: sql`name_key, id`,
    user_by_role: sql`role, created_at, id`,
    user_by_email_verified: sql`email_verified, created_at, id`,
  };
  for (const [name, columns] of Object.entries(orders))
    await sql`create index ${sql.id(name)} on ${user} (${columns})`.execute(db);
  await sql`create index user_banned on ${user} (created_at, id) where banned`.execute(db);
};

/**
 * Sets the number of values in the planner's statistics, which estimate how many users a term matches. Statistics of
 * pairs would add nothing.
 */
const keepStatistics = async (db: Kysely<any>): Promise<void> => {
  await sql`
    alter table ${user} alter column email set statistics 1000, alter column email_key set statistics 1000, alter column name_key set statistics 1000`.execute(
    db,
  );
  const targets = { user_name_trigrams: 1000, user_email_pairs: 0, user_name_pairs: 0 };
  for (const [index, target] of Object.entries(targets))
    await sql`alter index ${sql.id(schema, index)} alter column 1 set statistics ${sql.lit(target)}`.execute(
      db,
    );
};

/**
 * Makes lists of users as fast with a million users as with a few. The fill factor leaves a tenth of each page for
 * updates of its rows.
 */
export const indexUsers = async (db: Kysely<any>): Promise<void> => {
  await sql`alter table ${user} set (fillfactor = 90)`.execute(db);
  await indexOrders(db);
  await indexSearch(db);
  await keepStatistics(db);
  await sql`create index user_roles on ${user} using gin (string_to_array(role, ','))`.execute(db);
};
