import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "./commands/command.ts";
import { UsageError } from "./commands/usage-error.ts";

interface Entry {
  summary: string;
  /** Loads only the modules of the command, so that help is fast. */
  load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  "create-admin": {
    summary: "creates an admin, or makes an existing user one",
    load: async () => (await import("./commands/create-admin.ts")).createAdminCommand,
  },
  "reset-two-factor": {
    summary: "removes the second factor of a user who has lost it",
    load: async () => (await import("./commands/reset-two-factor.ts")).resetTwoFactorCommand,
  },
  oauth: {
    summary: "creates clients, to which users sign in",
    load: async () => (await import("./commands/oauth.ts")).oauthCommand,
  },
  "rotate-keys": {
    summary: "creates a new signing key for tokens",
    load: async () => (await import("./commands/rotate-keys.ts")).rotateKeysCommand,
  },
  reseal: {
    summary: "seals everything with the current secret, so that earlier ones can be left out",
    load: async () => (await import("./commands/reseal.ts")).resealCommand,
  },
  migrate: {
    summary: "migrates every schema of the database",
    load: async () => (await import("./commands/migrate.ts")).migrateCommand,
  },
  types: {
    summary: "writes TypeScript declarations of fields, roles and permissions for applications",
    load: async () => (await import("./commands/write-types.ts")).typesCommand,
  },
  audit: {
    summary: "verifies, exports and prunes the audit logs",
    load: async () => (await import("./commands/audit.ts")).auditCommand,
  },
  export: {
    summary: "exports all data of a person, or the whole installation",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  import: {
    summary: "imports the data of another application or installation",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  prove: {
    summary: "tests the guarantees of a running deployment as its clients and attackers",
    load: async () => (await import("./commands/prove.ts")).proveCommand,
  },
  doctor: {
    summary: "checks the configuration and everything that it refers to, and says what to fix",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
};

const usage = [
  "Usage: npx latchkey <command> [options]",
  "",
  ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(18)}${summary}`),
  `  ${"help".padEnd(18)}shows this, or the options of a command: npx latchkey help <command>`,
  `  ${"--version".padEnd(18)}shows the version`,
  "",
  "Configured like the services: by latchkey.config.ts, the environment, or the data of npm start in .data.",
  "Exits with 0 on success, 1 on failure, and 2 for invalid arguments.",
  "",
].join("\n");

const showHelp = async (name: string | undefined): Promise<number> => {
  const text =
    name && Object.hasOwn(commands, name) ? (await commands[name]?.load())?.usage : usage;
  process.stdout.write(text ?? usage);
  return 0;
};

const showVersion = async (): Promise<number> => {
  const manifest = await readFile(
    join(import.meta.dirname, "..", "..", "..", "package.json"),
    "utf8",
  );
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
  return 0;
};

/** Exits explicitly, so that processes that a command started end too. The default action of a signal runs no exit handlers. */
const endOnSignal = (): void => {
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  process.once("SIGHUP", () => process.exit(129));
};

const runCommand = async (name: string, args: string[]): Promise<number> => {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    process.stderr.write(`Unknown command.\n\n${usage}`);
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

/** Runs the command that the arguments name. Returns its exit code. */
export const runCommandLine = async ([name, ...args]: readonly string[]): Promise<number> => {
  if (name === "--version" || name === "-v") return showVersion();
  if (name === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  if (name === "help" || name === "--help" || name === "-h") return showHelp(args[0]);
  if (args.includes("--help") || args.includes("-h")) return showHelp(name);
  return runCommand(name, args);
};
