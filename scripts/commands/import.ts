import type { Command } from "./command.ts";
import { importBetterAuthCommand } from "./import-better-auth.ts";
import { UsageError } from "./usage-error.ts";

/** What can be taken over, by its name on the command line. */
const sources: Readonly<Record<string, Command>> = {
  "better-auth": importBetterAuthCommand,
};

/** Takes over what another application or installation has. */
export const importCommand: Command = {
  usage: Object.values(sources)
    .map(({ usage }) => usage)
    .join("\n"),
  run: ([name = "", ...args]) => {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (!source) throw new UsageError(`must be told what: ${Object.keys(sources).join(" or ")}`);
    return source.run(args);
  },
};
