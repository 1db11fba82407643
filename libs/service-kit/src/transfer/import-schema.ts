import type { Transaction } from "kysely";
import { type AuditEntry, appendAudit } from "../audit/append-audit.ts";
import { migrateSchema } from "../database/migrate-schema.ts";
import { type CarriedSchema, openCarried } from "./carried-schema.ts";
import type { TransferSection } from "./check-transfer.ts";
import { inReferenceOrder } from "./in-reference-order.ts";
import * as queries from "./queries.ts";
import type { TableMover, TextRow } from "./table-mover.ts";
import { TransferError } from "./transfer-error.ts";
import { createDigest, readTransferLine } from "./transfer-lines.ts";

export interface ImportSchemaOptions {
  schema: CarriedSchema;
  /** The migrations of the exported schema. */
  migrations: readonly string[];
  /** Undefined if the export has no rows of this schema. */
  section: TransferSection | undefined;
  lines: AsyncIterable<string>;
  /** Digest of the whole export, by which the audit log identifies it. */
  sha256: string;
  actor: AuditEntry["actor"];
  clock: () => number;
}

export const importedAction = "installation.imported";

const batchRows = 500;
const batchCharacters = 1_000_000;

/** Migrates a new schema to the version of the export. Throws a `TransferError` if that is impossible. */
const migrateTo = async ({ schema, migrations }: ImportSchemaOptions): Promise<void> => {
  const { name, portable, settings } = schema;
  const migrationNames = Object.keys(portable.migrations).toSorted();
  if (migrations.some((migration, index) => migrationNames[index] !== migration))
    throw new TransferError(
      `${name} was migrated further when it was exported than this version of Latchkey supports: import with the version that made the export, or a later one`,
    );
  const first = Object.entries(portable.migrations).filter(([migration]) =>
    migrations.includes(migration),
  );
  await migrateSchema(settings, name, Object.fromEntries(first));
};

/** Collects rows of one table and writes them in batches. */
const createBatches = (
  trx: Transaction<any>,
  { schema, movers }: { schema: string; movers: Readonly<Record<string, TableMover>> },
  tables: ReadonlyMap<string, queries.Table>,
) => {
  let table: queries.Table | undefined;
  let rows: TextRow[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (!table || rows.length === 0) return;
    const mover = movers[table.name];
    const rowsToWrite = mover ? await mover.write(trx, rows) : rows;
    rows = [];
    characters = 0;
    if (rowsToWrite.length > 0)
      await queries.insertTexts(trx, schema, { table, rows: JSON.stringify(rowsToWrite) });
  };
  return {
    flush,
    take: async (name: string, row: TextRow, size: number): Promise<void> => {
      if (name !== table?.name) {
        await flush();
        table = tables.get(name);
        if (!table) throw new TransferError(`there is no table ${schema}.${name} here`);
      }
      const isWhole =
        Object.keys(row).length === table.columns.length &&
        table.columns.every((column) => Object.hasOwn(row, column.name));
      if (!isWhole) throw new TransferError(`a row of ${schema}.${name} has other columns`);
      rows.push(row);
      characters += size;
      if (rows.length >= batchRows || characters >= batchCharacters) await flush();
    },
  };
};

const changedMeanwhile = () =>
  new TransferError("the file was changed while it was read: nothing of this schema was imported");

const readSection = async (
  trx: Transaction<any>,
  { schema, section, lines }: ImportSchemaOptions,
  batches: ReturnType<typeof createBatches>,
): Promise<void> => {
  if (!section) return;
  const digest = createDigest();
  let number = section.line;
  for await (const line of lines) {
    digest.take(line);
    const read = readTransferLine(line, number);
    number += 1;
    if (!("schema" in read) || read.schema !== schema.name) throw changedMeanwhile();
    if (read.kind === "row") await batches.take(read.table, read.value, line.length);
    else await queries.writeSequence(trx, schema.name, { name: read.name, ...read.value });
  }
  await batches.flush();
  if (digest.read() !== section.digest) throw changedMeanwhile();
};

const lockAll = async (trx: Transaction<any>, schema: string, names: readonly string[]) => {
  await queries.lockTables(trx, schema, names).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== "55P03") throw error;
    throw new TransferError(`somebody uses ${schema}: stop all services, and import again`);
  });
};

const refuseFilled = async (trx: Transaction<any>, schema: string, names: readonly string[]) => {
  const filled = await queries.listFilled(trx, schema, names);
  if (filled.length > 0)
    throw new TransferError(
      `${schema} is not empty (${filled.join(", ")}). An installation is imported into a new database, on which no service has run`,
    );
};

const refuseMigrated = async (
  trx: Transaction<any>,
  schema: string,
  migrations: readonly string[],
): Promise<void> => {
  const here = await queries.listMigrations(trx, schema);
  if (here.length !== migrations.length)
    throw new TransferError(
      `${schema} is migrated further than it was when it was exported. Import into a new database, without migrating it first: the import does that`,
    );
};

/**
 * Imports one schema of an export into an empty one, all or nothing, and records that in its audit log. Returns false if it was
 * imported before. Throws a `TransferError` if it cannot be imported.
 */
export const importSchema = async (options: ImportSchemaOptions): Promise<boolean> => {
  const { schema, migrations, sha256, actor, clock, section } = options;
  const { name, portable, settings } = schema;
  await migrateTo(options);
  const db = openCarried(schema);
  const movers = (await portable.openMovers?.(settings)) ?? {};
  try {
    return await db.transaction().execute(async (trx) => {
      await queries.setForms(trx);
      const tables = inReferenceOrder(await queries.listTables(trx, name));
      const names = tables.map((table) => table.name);
      await lockAll(trx, name, names);
      if (await queries.isNoted(trx, name, { action: importedAction, id: sha256 })) return false;
      await refuseMigrated(trx, name, migrations);
      await refuseFilled(trx, name, names);
      const byName = new Map(tables.map((table) => [table.name, table]));
      await readSection(trx, options, createBatches(trx, { schema: name, movers }, byName));
      await appendAudit(
        trx,
        { clock },
        {
          actor,
          subject: { kind: "installation", id: sha256 },
          action: importedAction,
          after: { rows: section?.rows ?? 0 },
        },
      );
      await queries.analyzeTables(trx, name, names);
      return true;
    });
  } finally {
    await Promise.all(Object.values(movers).map((mover) => mover.close()));
    await db.destroy();
  }
};
