import { migrateAll } from "../run-all.ts";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";
import { withInstallation } from "./with-installation.ts";

/** Brings every schema of the database up to date. */
export const migrateCommand: Command = {
  usage: `Usage: npx latchkey migrate

Brings every schema of the configured database up to date. Safe while the previous version serves, and when several
processes do it at once. Without DATABASE_URL it is the database of this folder (.data/postgres).
`,
  run: async (args) => {
    readOptions(args, {});
    const applied = await withInstallation(({ settings }) => migrateAll(settings));
    for (const [service, names] of Object.entries(applied))
      process.stdout.write(`${service}: ${names.length === 0 ? "up to date" : names.join(", ")}\n`);
    return 0;
  },
};
