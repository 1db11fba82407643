import type { Command } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Where an installation may come from. */
const sources: Readonly<Record<string, () => Promise<Command>>> = {
  latchkey: async () => (await import("./import-installation.ts")).importInstallationCommand,
};

/** Brings in what another installation, or another product, has. */
export const importCommand: Command = {
  usage: `Usage: npx latchkey import latchkey --from <file>

latchkey  an installation, from what \`npx latchkey export all\` wrote: \`npx latchkey import latchkey\` alone tells how
`,
  run: async ([name = "", ...args]) => {
    const load = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (!load) throw new UsageError(`needs to be told what: ${Object.keys(sources).join(" or ")}`);
    return (await load()).run(args);
  },
};
