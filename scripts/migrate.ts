import { loadConfigFile, readSettings } from "@latchkey/service-kit";
import { migrateAll } from "./run-all.ts";

// npm run migrate: brings every schema of the configured database up to date, and ends.

const settings = readSettings(await loadConfigFile(process.env, process.cwd()), process.env);
const applied = await migrateAll(settings);
for (const [service, names] of Object.entries(applied))
  process.stdout.write(`${service}: ${names.length === 0 ? "up to date" : names.join(", ")}\n`);
