import { inFirstRelease, type SchemaMigration } from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

/** What the members of an organization who have a role are gone through by, be they few among very many. */
export const memberRolesMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the shape itself, so no row types hold here.
  up: async (db: Kysely<any>) => {
    await sql`
      create index member_by_role on ${sql.id(schema, "member")}
      (organization_id, role, created_at, id)`.execute(db);
  },
};
