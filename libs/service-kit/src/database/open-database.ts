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
  /** Receives the metrics of its connections. */
  metrics?: Metrics;
  tracing?: Tracing | undefined;
  /** For a migration: one direct connection without a pooler and without prepared statements. */
  forMigration?: boolean;
}

/** Opens the configured database, bound to the schema of one service. Connects at first use. */
export const openDatabase = <Tables>(
  { options, network }: Settings,
  { schema, logger, metrics, tracing, forMigration = false }: OpenDatabaseOptions,
): Kysely<Tables> => {
  const { databaseUrl = "", directDatabaseUrl, advanced } = options;
  const pool = createPostgresPool({
    url: forMigration ? (directDatabaseUrl ?? databaseUrl) : databaseUrl,
    max: forMigration ? 1 : advanced.database.poolMax,
    logger,
    applicationName: `latchkey-${schema}`,
    timeLimitFactor: network.timeLimitFactor,
    // An index on many rows and another migrating process may take long.
    ...(forMigration ? { queryMilliseconds: 0 } : {}),
  });
  if (metrics) registerPoolGauge(metrics, pool);
  const preparedStatements = advanced.database.preparedStatements && !forMigration;
  return createDatabase<Tables>({ pool, schema, preparedStatements, tracing });
};
