import type { Kysely } from "kysely";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { registerPoolGauge } from "../observe/store-gauges.ts";
import type { Tracing } from "../observe/tracing.ts";
import { createDatabase } from "./database.ts";
import { createPostgresPool } from "./postgres-pool.ts";

export interface OpenDatabaseOptions {
  schema: string;
  logger: Logger;
  /** Shows what its connections do. */
  metrics?: Metrics;
  tracing?: Tracing | undefined;
  /** For a migration: one connection, past any pooler, without prepared statements. */
  forMigration?: boolean;
}

/** The configured database, bound to the schema of one service. Connects when it is first used. */
export const openDatabase = <Tables>(
  { options }: Settings,
  { schema, logger, metrics, tracing, forMigration = false }: OpenDatabaseOptions,
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
  if (metrics) registerPoolGauge(metrics, pool);
  const preparedStatements = advanced.database.preparedStatements && !forMigration;
  return createDatabase<Tables>({ pool, schema, preparedStatements, tracing });
};
