import type { SchemaMigrations } from "@latchkey/service-kit";
import { rateLimitMigration } from "../limits/rate-limit-migration.ts";

/** Forward only: a released migration is never changed. */
export const migrations: SchemaMigrations = {
  "0001_rate_limit": rateLimitMigration,
};
