import type { ServiceName } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Settings } from "../config/settings.ts";
import { settingsOf } from "../config/settings-of.ts";
import { createLogger } from "../observe/logger.ts";
import { openDatabase } from "./open-database.ts";

/** Runs `work` as a service on a dedicated connection without a deadline, because there may be many rows. */
export const withDatabase = async <Tables, T>(
  settings: Settings,
  service: ServiceName,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> => {
  const logger = createLogger({ service, ...settings.options.logger });
  const db = openDatabase<Tables>(settingsOf(settings, service), {
    schema: service,
    logger,
    forMigration: true,
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
};
