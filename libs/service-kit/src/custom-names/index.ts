export { migrateWithViews } from "./migrate-with-views.ts";
export type { WantedView } from "./view-rules.ts";
