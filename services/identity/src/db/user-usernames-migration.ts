import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { schema } from "./schema.ts";

/** Adds an index that finds users by the beginning of their username. Users without one take no space in it. */
export const userUsernamesMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "user_by_username_start",
      table: "user",
      definition: `((left(lower(username), 100)) collate "C") where username is not null`,
    }),
};
