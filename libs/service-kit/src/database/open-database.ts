import type { Kysely } from "kysely";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../observe/logger.ts";
import { createDatabase } from "./database.ts";
import { createPostgresPool } from "./postgres-pool.ts";

export interface OpenDatabaseOptions {
  schema: string;
  logger: Logger;
  /** For a migration: one connection, past any pooler, without prepared statements. */
  forMigration?: boolean;
}

/** The configured database, bound to the schema of one service. Connects when it is first used. */
export const openDatabase = <Tables>(
  { options }: Settings,
  { schema, logger, forMigration = false }: OpenDatabaseOptions,
): Kysely<Tables> => {
  const { databaseUrl = "", directDatabaseUrl, advanced } = options;
  const pool = createPostgresPool({
    url: forMigration ? (directDatabaseUrl ?? databaseUrl) : databaseUrl,
    max: forMigration ? 1 : advanced.database.poolMax,
    logger,
    applicationName: `latchkey-${schema}`,
    // An index on many rows takes its time, and so may another process that migrates.
    ...(forMigration ? { queryMilliseconds: 0 } : {}),
  });
  const preparedStatements = advanced.database.preparedStatements && !forMigration;
  return createDatabase<Tables>({ pool, schema, preparedStatements });
};
