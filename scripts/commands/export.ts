import type { Command } from "./command.ts";
import { exportAll } from "./export-all.ts";
import { exportPerson } from "./export-person.ts";
import { UsageError } from "./usage-error.ts";

const kinds: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  person: exportPerson,
  all: exportAll,
};

/** Writes what is kept: of one person, or all. */
export const exportCommand: Command = {
  usage: `Usage: npx latchkey export person <id or e-mail address> [--out <file>]
       npx latchkey export all [--out <file>]

person  writes all that is kept of one person as JSON, without secrets and without other people's data
all     writes the whole installation as JSON lines, which \`npx latchkey import latchkey\` reads. Secrets are in it as they rest,
        hashed or sealed under AUTH_SECRET. Services may run

  --out <file>  a new file that you alone may read; standard output without it
`,
  run: async ([name = "", ...args]) => {
    const run = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!run) throw new UsageError("needs to be told what: person or all");
    return run(args);
  },
};
