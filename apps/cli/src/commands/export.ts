import type { Command } from "./command.ts";
import { exportAll } from "./export-all.ts";
import { exportPerson } from "./export-person.ts";
import { UsageError } from "./usage-error.ts";

const kinds: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  person: exportPerson,
  all: exportAll,
};

/** Exports one person or the whole installation. */
export const exportCommand: Command = {
  usage: `Usage: npx latchkey export person <id or e-mail address> [--out <file>]
       npx latchkey export all [--out <file>]

person  writes all data of one person as JSON, without secrets and without other users' data
all     writes the whole installation as JSON lines, which \`npx latchkey import latchkey\` reads. It contains secrets in their
        stored form, hashed or encrypted with AUTH_SECRET. Services may run

  --out <file>  a new file that only you may read. Default: standard output
`,
  run: async ([name = "", ...args]) => {
    const run = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!run) throw new UsageError("needs a scope: person or all");
    return run(args);
  },
};
