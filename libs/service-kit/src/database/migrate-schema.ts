import type { Migration } from "kysely/migration";
import type { Settings } from "../config/settings.ts";
import { createLogger } from "../observe/logger.ts";
import { createDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { createPostgresPool } from "./postgres-pool.ts";

/** Brings one service's schema up to date over a connection of its own; gives the names of what it applied. */
export const migrateSchema = async (
  { options }: Settings,
  schema: string,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> => {
  const pool = createPostgresPool({
    url: options.directDatabaseUrl ?? options.databaseUrl ?? "",
    max: 1,
    logger: createLogger({ service: schema, ...options.logger }),
    applicationName: "latchkey-migrate",
  });
  const db = createDatabase({ pool, schema, preparedStatements: false });
  try {
    return await migrate({ db, schema, migrations });
  } finally {
    await db.destroy();
  }
};
