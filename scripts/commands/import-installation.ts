import { stat } from "node:fs/promises";
import { serviceNames } from "@latchkey/contracts";
import { operatorActor } from "@latchkey/identity/commands";
import {
  type CarriedSchema,
  type CheckedTransfer,
  checkTransfer,
  importSchema,
  type Settings,
  TransferError,
} from "@latchkey/service-kit";
import { carriedSchemas } from "../run-all.ts";
import { ringOf } from "./audit-logs.ts";
import type { Command } from "./command.ts";
import { migrateServices } from "./migrate.ts";
import { readLines } from "./read-lines.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "./refusal.ts";
import { UsageError } from "./usage-error.ts";
import { withInstallation } from "./with-installation.ts";

const requireFile = async (path: string): Promise<void> => {
  // It is read more than once.
  if (!(await stat(path)).isFile()) throw new Refusal(`${path} must be a file.`);
};

/** The migrations of each schema as they were, of exactly those schemas that there are here. */
const migrationsOf = (
  schemas: readonly CarriedSchema[],
  { header }: CheckedTransfer,
): Map<string, string[]> => {
  const exported = new Map(Object.entries(header.schemas));
  const strange = [...exported.keys()].filter((name) => !schemas.some((one) => one.name === name));
  const missing = schemas.filter(({ name }) => !exported.has(name)).map(({ name }) => name);
  if (strange.length + missing.length > 0)
    throw new Refusal(
      `the export, of Latchkey ${header.latchkey}, is of other services than this version has: ${[...strange, ...missing].join(", ")}.`,
    );
  return exported;
};

const importAll = async (settings: Settings, from: string): Promise<void> => {
  const transfer = await checkTransfer(readLines(from), ringOf(settings));
  const schemas = carriedSchemas(settings, "owner");
  const migrations = migrationsOf(schemas, transfer);
  const { sections, sha256 } = transfer;
  for (const schema of schemas) {
    const section = sections.get(schema.name);
    const isNew = await importSchema({
      schema,
      migrations: migrations.get(schema.name) ?? [],
      section,
      lines: readLines(from, section),
      sha256,
      actor: operatorActor,
      clock: Date.now,
    });
    const count = section?.rows ?? 0;
    process.stdout.write(`${schema.name}: ${isNew ? `${count} rows` : "was imported before"}\n`);
  }
  await migrateServices(settings, settings.options.databaseUrl ? undefined : serviceNames);
};

/** Brings an exported installation into an empty one. */
export const importInstallationCommand: Command = {
  usage: `Usage: npx latchkey import latchkey --from <file>

Brings what \`npx latchkey export all\` wrote into a new database, on which no service has run, under the same AUTH_SECRET; with
REDIS_URL, live sessions go to an empty Redis. The file is checked whole before anything is written. Each schema is written all
or not at all: after a failure run it again with the same file, and it goes on with the schemas that are missing. Start services
only when it has ended with 0. Signs in as the owner, as \`migrate\` does, and migrates to this version at the end.
`,
  run: async (args) => {
    const { from } = readOptions(args, { from: { type: "string" } });
    if (from === undefined) throw new UsageError("--from is required, a file of `export all`");
    await requireFile(from);
    try {
      await withInstallation(({ settings }) => importAll(settings, from));
    } catch (error) {
      if (error instanceof TransferError) throw new Refusal(`${from}: ${error.message}.`);
      throw error;
    }
    process.stdout.write("Everything is imported. Services may start.\n");
    return 0;
  },
};
