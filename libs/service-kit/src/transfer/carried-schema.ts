import type { ServiceName } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Settings } from "../config/settings.ts";
import { openDatabase } from "../database/open-database.ts";
import { createLogger } from "../observe/logger.ts";
import type { Portable } from "./table-mover.ts";

/** An exported or imported schema, with the settings of its database. */
export interface CarriedSchema {
  name: ServiceName;
  portable: Portable;
  settings: Settings;
}

/** Opens a dedicated connection without a deadline, because there may be many rows. */
export const openCarried = ({ name, settings }: CarriedSchema): Kysely<any> => {
  const logger = createLogger({ service: name, ...settings.options.logger });
  return openDatabase<any>(settings, { schema: name, logger, forMigration: true });
};
