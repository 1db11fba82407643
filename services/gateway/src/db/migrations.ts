import type { Migration } from "kysely/migration";
import { rateLimitMigration } from "../limits/rate-limit-migration.ts";

/** Forward only; a migration that has shipped is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001_rate_limit": rateLimitMigration,
};
