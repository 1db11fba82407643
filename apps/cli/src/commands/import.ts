import type { Command } from "./command.ts";
import { importBetterAuthCommand } from "./import-better-auth.ts";
import { importInstallationCommand } from "./import-installation.ts";
import { UsageError } from "./usage-error.ts";

/** The import sources by their names on the command line. */
const sources: Readonly<Record<string, Command>> = {
  "better-auth": importBetterAuthCommand,
  latchkey: importInstallationCommand,
};

/** Imports the data of another application or installation. */
export const importCommand: Command = {
  usage: Object.values(sources)
    .map(({ usage }) => usage)
    .join("\n"),
  run: ([name = "", ...args]) => {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (!source) throw new UsageError(`needs a source: ${Object.keys(sources).join(" or ")}`);
    return source.run(args);
  },
};
