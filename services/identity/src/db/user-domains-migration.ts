import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { schema } from "./schema.ts";

/**
 * Adds an index that reads and counts the users of a domain in the order of their creation. It includes the address, because
 * Postgres otherwise reads each counted user.
 */
export const userDomainsMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "user_by_domain",
      table: "user",
      definition: `((split_part(email, '@', 2) collate "C"), created_at, id) include (email)`,
    }),
};
