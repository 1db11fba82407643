import { stat } from "node:fs/promises";
import { serviceNames } from "@latchkey/contracts";
import { operatorActor } from "@latchkey/identity/commands";
import type { Settings } from "@latchkey/service-kit/config";
import {
  type CarriedSchema,
  type CheckedTransfer,
  checkTransfer,
  importSchema,
  TransferError,
} from "@latchkey/service-kit/transfer";
import { carriedSchemas } from "../installation/services.ts";
import { ringOf } from "./audit-logs.ts";
import type { Command } from "./command.ts";
import { migrateServices } from "./migrate.ts";
import { readLines } from "../terminal/read-lines.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "../terminal/refusal.ts";
import { UsageError } from "./usage-error.ts";
import { withInstallation } from "./with-installation.ts";

const requireFile = async (path: string): Promise<void> => {
  // The file is read more than once, so a pipe does not work.
  if (!(await stat(path)).isFile()) throw new Refusal(`${path} must be a file.`);
};

/** Returns the migrations that each schema had. Refuses an export whose schemas differ from those of this version. */
const migrationsOf = (
  schemas: readonly CarriedSchema[],
  { header }: CheckedTransfer,
): Map<string, string[]> => {
  const exported = new Map(Object.entries(header.schemas));
  const strange = [...exported.keys()].filter((name) => !schemas.some((one) => one.name === name));
  const missing = schemas.filter(({ name }) => !exported.has(name)).map(({ name }) => name);
  if (strange.length + missing.length > 0)
    throw new Refusal(
      `the export, of Latchkey ${header.latchkey}, has other services than this version: ${[...strange, ...missing].join(", ")}.`,
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

/** Imports an exported installation into an empty one. */
export const importInstallationCommand: Command = {
  usage: `Usage: npx latchkey import latchkey --from <file>

Imports a file of \`npx latchkey export all\` into a new database, on which no service has run, with the same AUTH_SECRET. With
REDIS_URL, live sessions are imported into an empty Redis. The whole file is checked before anything is written. Each schema is
written completely or not at all. After a failure, run it again with the same file: it continues with the missing schemas. Start
services only after it has exited with 0. Connects as the owner, like \`migrate\`, and migrates to this version at the end.
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
