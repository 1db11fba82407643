#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "./commands/command.ts";
import { UsageError } from "./commands/usage-error.ts";

// npx latchkey: what operators do from the command line.

interface Entry {
  summary: string;
  /** Loads no more than the command needs, so that help comes at once. */
  load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  "create-admin": {
    summary: "creates a user who is an admin, or makes one of a user",
    load: async () => (await import("./commands/create-admin.ts")).createAdminCommand,
  },
  "rotate-keys": {
    summary: "makes a new key that tokens are signed with",
    load: async () => (await import("./commands/rotate-keys.ts")).rotateKeysCommand,
  },
  migrate: {
    summary: "brings every schema of the database up to date",
    load: async () => (await import("./commands/migrate.ts")).migrateCommand,
  },
  audit: {
    summary: "proves that the audit logs are as they were written, and exports them",
    load: async () => (await import("./commands/audit.ts")).auditCommand,
  },
  export: {
    summary: "writes all that is kept of a person, or the whole installation",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  import: {
    summary: "brings in what another application or installation has",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  prove: {
    summary: "acts as clients and attackers of a deployment that runs, and says what held",
    load: async () => (await import("./commands/prove.ts")).proveCommand,
  },
  doctor: {
    summary: "checks configuration and everything that it names, and says what to mend",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
};

const usage = [
  "Usage: npx latchkey <command> [options]",
  "",
  ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`),
  `  ${"help".padEnd(14)}shows this, or the options of a command: npx latchkey help <command>`,
  `  ${"--version".padEnd(14)}shows the version`,
  "",
  "Configured as the services are: by latchkey.config.ts, the environment, or what npm start keeps in .data.",
  "Ends with 0 when all is well, 1 when something failed, 2 when the command was not understood.",
  "",
].join("\n");

const showHelp = async (name: string | undefined): Promise<number> => {
  const text =
    name && Object.hasOwn(commands, name) ? (await commands[name]?.load())?.usage : usage;
  process.stdout.write(text ?? usage);
  return 0;
};

const showVersion = async (): Promise<number> => {
  const manifest = await readFile(join(import.meta.dirname, "..", "package.json"), "utf8");
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
  return 0;
};

/** What was started for a command ends with this process, which a signal alone would not see to. */
const endOnSignal = (): void => {
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  process.once("SIGHUP", () => process.exit(129));
};

const runCommand = async (name: string, args: string[]): Promise<number> => {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    process.stderr.write(`latchkey has no such command.\n\n${usage}`);
    return 2;
  }
  const command = await entry.load();
  if (!command.cleansUp) endOnSignal();
  try {
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`latchkey ${name}: ${error.message}\n\n${command.usage}`);
      return 2;
    }
    const { explainFailure } = await import("./commands/explain-failure.ts");
    process.stderr.write(`latchkey ${name}: ${explainFailure(error)}\n`);
    return 1;
  }
};

const run = async ([name, ...args]: string[]): Promise<number> => {
  if (name === "--version" || name === "-v") return showVersion();
  if (name === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  if (name === "help" || name === "--help" || name === "-h") return showHelp(args[0]);
  if (args.includes("--help") || args.includes("-h")) return showHelp(name);
  return runCommand(name, args);
};

// A check that ran out of time may still hold a connection, which is no reason to wait.
process.exit(await run(process.argv.slice(2)));
