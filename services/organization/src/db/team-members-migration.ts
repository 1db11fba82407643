import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { schema } from "./schema.ts";

/** Adds the index for listing the members of a team, however few they are among very many. */
export const teamMembersMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "member_in_team",
      table: "member",
      definition: "(organization_id, team_id, created_at, id) where team_id is not null",
    }),
};
