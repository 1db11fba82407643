import { migrateWithViews, type Settings } from "@latchkey/service-kit";
import { readApiKeyConfig } from "../config.ts";
import { wantedViews } from "../views/wanted-views.ts";
import { migrations } from "./migrations.ts";
import { schema } from "./schema.ts";

/** Applies pending migrations and updates the view that the options request. Returns what was applied. */
export const migrateApiKey = async (settings: Settings): Promise<string[]> =>
  migrateWithViews(settings, {
    schema,
    migrations,
    views: wantedViews(readApiKeyConfig(settings)),
  });
