import { inFirstRelease, type SchemaMigration, trigramOperators } from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

const organization = sql.id(schema, "organization");

/**
 * Makes lists of organizations as quick with a hundred thousand as with a few. Text goes by code point and by its beginning
 * in lower case: an index serves prefixes so, does not depend on the machine's locale, and its entries have a longest length.
 */
const indexOrganizations = async (db: Kysely<any>): Promise<void> => {
  const operators = await trigramOperators(db);
  await sql`create index organization_by_created_at on ${organization} (created_at, id)`.execute(
    db,
  );
  for (const column of ["name", "slug"]) {
    const text = sql`lower(${sql.id(column)})`;
    await sql`
      create index ${sql.id(`organization_by_${column}`)} on ${organization}
      ((left(${text}, 100) collate "C"), id)`.execute(db);
    await sql`
      create index ${sql.id(`organization_${column}_trigrams`)} on ${organization}
      using gin ((${text}) collate "C" ${operators}) with (gin_pending_list_limit = 64)`.execute(
      db,
    );
  }
};

/** What lists are searched, sorted and gone through by. */
export const organizationListsMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the shape itself, so no row types hold here.
  up: async (db: Kysely<any>) => {
    // To the millisecond, as clients see them: a cursor tells the very place of a row.
    for (const table of ["organization", "member"])
      await sql`
        alter table ${sql.id(schema, table)} alter column created_at type timestamptz(3)`.execute(
        db,
      );
    await indexOrganizations(db);
  },
};
