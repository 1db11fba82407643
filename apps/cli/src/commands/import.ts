import { isatty } from "node:tty";
import type { Command } from "./command.ts";
import { importInstallationCommand } from "./import-installation.ts";
import { UsageError } from "./usage-error.ts";
import { readSourceNames } from "../better-auth/source-names.ts";
import { importDatabase } from "../better-auth/import-database.ts";
import { createImportReport } from "../better-auth/import-report.ts";
import { readOptions } from "./read-options.ts";
import { withSchemas } from "./with-installation.ts";

const options = {
  from: { type: "string" },
  schema: { type: "string", default: "public" },
  names: { type: "string" },
  name: { type: "string", default: "better-auth" },
  "time-zone": { type: "string", default: "UTC" },
  report: { type: "string" },
  "dry-run": { type: "boolean", default: false },
} as const;

const urlVariable = "BETTER_AUTH_DATABASE_URL";
const progressMilliseconds = 2_000;
const nameForm = /^[\w.-]{1,64}$/;

const readRequest = (args: string[]) => {
  const input = readOptions(args, options);
  const url = input.from ?? process.env[urlVariable];
  if (!url || !/^postgres(ql)?:\/\//.test(url))
    throw new UsageError(
      `--from or ${urlVariable} must be the postgres:// address of the database`,
    );
  if (!nameForm.test(input.name))
    throw new UsageError("--name must be up to 64 letters, digits, dots, dashes and underscores");
  const timeZone = input["time-zone"];
  try {
    Intl.DateTimeFormat("en", { timeZone });
  } catch {
    throw new UsageError("--time-zone must be one such as UTC or Europe/Berlin");
  }
  return { ...input, url, timeZone, isDryRun: input["dry-run"] };
};

/** Prints the progress to standard error, at most every two seconds and at the end of each model. */
const createProgress = () => {
  const begun = performance.now();
  let last = Number.NEGATIVE_INFINITY;
  return (model: string, done: number, total: number): void => {
    const now = performance.now();
    if (done < total && now - last < progressMilliseconds) return;
    last = now;
    const seconds = Math.round((now - begun) / 1000);
    const end = isatty(2) && done < total ? "\r" : "\n";
    process.stderr.write(`${model.padEnd(14)}${done} of ${total}, ${seconds} s${end}`);
  };
};

/** Imports a better-auth database. */
const importBetterAuthCommand: Command = {
  usage: `Usage: npx latchkey import better-auth --from <postgres address> [--dry-run] [--report <file>]

Imports the users, accounts, sessions, second factors, passkeys, organizations, members, teams, invitations, API keys and
signing keys of a better-auth database, version 1.2 or later. With the secret of that application in AUTH_SECRET, passwords,
live sessions, authenticator apps, issued tokens and keys keep working. The command reads a snapshot of the database and does not write to it.

It may be interrupted and run again. Another run imports what has changed there since. Rows that were changed here stay.
  --from <address>    or the environment variable ${urlVariable}, which other users of the machine cannot read
  --dry-run           reports what would happen, and writes nothing
  --report <file>     a new file, with a line of JSON for each row that was left out or imported in part
  --schema <name>     the schema of its tables; public by default
  --names <file>      JSON with other names of tables and columns: {"user": {"table": "people", "fields": {"image": "avatar"}}}
  --name <name>       distinguishes several imported databases; better-auth by default
  --time-zone <zone>  the time zone of times without one; UTC by default
`,
  run: async (args) => {
    const request = readRequest(args);
    const names = await readSourceNames(request.names);
    return withSchemas(["identity", "organization", "apikey"], async ({ settings }) => {
      const report = await createImportReport(request.report);
      const { url, schema, name: source, timeZone, isDryRun } = request;
      const onProgress = createProgress();
      try {
        await importDatabase(settings, {
          url,
          schema,
          names,
          source,
          timeZone,
          isDryRun,
          report,
          onProgress,
        });
      } finally {
        await report.end();
      }
      if (isDryRun) process.stdout.write("Dry run: nothing was written.\n\n");
      process.stdout.write(report.describe());
      return 0;
    });
  },
};

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
