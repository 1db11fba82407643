import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { schema } from "./schema.ts";

/** Adds an index that reads and counts the users of a role in the order of their names. */
export const userRoleNamesMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "user_by_role_and_name",
      table: "user",
      definition: "(role, name_key, id)",
    }),
};
