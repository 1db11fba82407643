import type { Command } from "./command.ts";
import { importBetterAuthCommand } from "./import-better-auth.ts";
import { importInstallationCommand } from "./import-installation.ts";
import { UsageError } from "./usage-error.ts";

/** What can be brought in, by its name on the command line. */
const sources: Readonly<Record<string, Command>> = {
  "better-auth": importBetterAuthCommand,
  latchkey: importInstallationCommand,
};

/** Brings in what another application or installation has. */
export const importCommand: Command = {
  usage: Object.values(sources)
    .map(({ usage }) => usage)
    .join("\n"),
  run: ([name = "", ...args]) => {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (!source)
      throw new UsageError(`needs to be told what: ${Object.keys(sources).join(" or ")}`);
    return source.run(args);
  },
};
