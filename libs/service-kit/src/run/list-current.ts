import type { ServiceName } from "@latchkey/contracts";
import type { Settings } from "../config/settings.ts";
import { openDatabase } from "../database/open-database.ts";
import { createLogger } from "../observe/logger.ts";
import type { Service } from "./service.ts";

/**
 * Returns the services whose schema needs no migration. One connection reads all of them, so that a start with current schemas takes
 * no locks. A schema that cannot be read counts as not current, and its migration reports the reason.
 */
export const listCurrent = async (
  settings: Settings,
  services: readonly Pick<Service, "isCurrent" | "name">[],
): Promise<ReadonlySet<ServiceName>> => {
  const logger = createLogger({ service: "latchkey", ...settings.options.logger });
  const db = openDatabase<any>(settings, { schema: "public", logger, forMigration: true });
  const current = new Set<ServiceName>();
  try {
    for (const { name, isCurrent } of services)
      if (await isCurrent(settings, db)) current.add(name);
  } catch {
    // The migration of this schema and of those after it decides.
  } finally {
    await db.destroy();
  }
  return current;
};
