import { inFirstRelease, type SchemaMigration } from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

/** Adds the index for listing the members with a role, however few they are among very many. */
export const memberRolesMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await sql`
      create index member_by_role on ${sql.id(schema, "member")}
      (organization_id, role, created_at, id)`.execute(db);
  },
};
