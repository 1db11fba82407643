import { inFirstRelease, type SchemaMigration, trigramOperators } from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

const organization = sql.id(schema, "organization");

/**
 * Keeps lists of organizations fast for a hundred thousand rows. Text is indexed by code point and by its lower-case beginning. Such an
 * index serves prefixes and does not depend on the machine's locale. Its entries stay below the size limit.
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

/** Adds the indexes for searching, sorting and paging through lists. */
export const organizationListsMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    // Times have millisecond precision, as clients see them, so that a cursor identifies the exact position of a row.
    for (const table of ["organization", "member"])
      await sql`
        alter table ${sql.id(schema, table)} alter column created_at type timestamptz(3)`.execute(
        db,
      );
    await indexOrganizations(db);
  },
};
