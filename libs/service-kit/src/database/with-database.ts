import type { ServiceName, TakePersonItem } from "@latchkey/contracts";
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

/** Returns a command that exports a person's data of a service, whether the service runs or not. */
export const personExport =
  <Tables, Person>(
    service: ServiceName,
    exportPerson: (
      deps: { db: Kysely<Tables> },
      person: Person,
      take: TakePersonItem,
    ) => Promise<void>,
  ) =>
  (settings: Settings, person: Person, take: TakePersonItem): Promise<void> =>
    withDatabase<Tables, void>(settings, service, (db) => exportPerson({ db }, person, take));
