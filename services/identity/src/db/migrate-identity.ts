import { migrateWithViews, type Settings } from "@latchkey/service-kit";
import { readIdentityConfig } from "../config.ts";
import { syncFields } from "../fields/sync-fields.ts";
import { wantedViews } from "../views/wanted-views.ts";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";

/** Migrates the schema and applies the options to it: unique fields and views. Returns what was applied. */
export const migrateIdentity = async (settings: Settings): Promise<string[]> => {
  const config = readIdentityConfig(settings);
  return migrateWithViews(settings, {
    schema,
    migrations,
    views: wantedViews(config),
    beforeViews: (db) => syncFields(db, config),
  });
};
