import { seal, type SecretRing } from "@latchkey/crypto";
import type { ControlledTransaction, Kysely } from "kysely";
import { readCursor } from "../database/read-cursor.ts";
import { version } from "../observe/version.ts";
import { type CarriedSchema, openCarried } from "./carried-schema.ts";
import { inReferenceOrder } from "./in-reference-order.ts";
import {
  listMigrations,
  listSequences,
  listTables,
  readSequence,
  selectTexts,
  joinSnapshot,
  setForms,
  shareSnapshot,
} from "./queries.ts";
import { createDigest, digestPurpose, probePurpose, transferFormat } from "./transfer-lines.ts";

/** A snapshot of a schema. */
interface SchemaSnapshot {
  schema: CarriedSchema;
  trx: ControlledTransaction<any>;
}

const begin = (db: Kysely<any>): Promise<ControlledTransaction<any>> =>
  db.startTransaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute();

/** Uses the first transaction's snapshot if both are in one database, otherwise a new one. */
const beginWith = async (
  db: Kysely<any>,
  shared: string | undefined,
): Promise<ControlledTransaction<any>> => {
  const trx = await begin(db);
  if (shared === undefined) return trx;
  try {
    await joinSnapshot(trx, shared);
    return trx;
  } catch {
    await trx.rollback().execute();
    return begin(db);
  }
};

/**
 * Runs `work` with snapshots of schemas. All schemas in one database share a snapshot. Those of other databases are taken as
 * close in time as possible.
 */
const withSnapshots = async <T>(
  schemas: readonly CarriedSchema[],
  work: (snapshots: readonly SchemaSnapshot[]) => Promise<T>,
): Promise<T> => {
  const opened: { db: Kysely<any>; trx?: ControlledTransaction<any> }[] = [];
  let shared: string | undefined;
  try {
    const snapshots: SchemaSnapshot[] = [];
    for (const schema of schemas) {
      const db = openCarried(schema);
      const one: (typeof opened)[number] = { db };
      opened.push(one);
      const trx = await beginWith(db, shared);
      one.trx = trx;
      shared ??= await shareSnapshot(trx);
      await setForms(trx);
      snapshots.push({ schema, trx });
    }
    return await work(snapshots);
  } finally {
    for (const { db, trx } of opened) {
      await trx
        ?.rollback()
        .execute()
        .catch(() => {}); // the rows are already read
      await db.destroy();
    }
  }
};

export interface ExportInstallationOptions {
  schemas: readonly CarriedSchema[];
  ring: SecretRing;
  at: Date;
}

/** The summary of an export. */
export interface ExportedInstallation {
  /** Number of rows by table. Empty tables are left out. */
  rows: Readonly<Record<string, number>>;
  sha256: string;
}

interface Lines {
  write(line: string): Promise<void>;
  count(table: string): void;
}

const writeTables = async ({ schema, trx }: SchemaSnapshot, lines: Lines): Promise<void> => {
  const { name, portable, settings } = schema;
  const movers = (await portable.openMovers?.(settings)) ?? {};
  const writeRow = async (table: string, row: string): Promise<void> => {
    lines.count(`${name}.${table}`);
    await lines.write(`{"table":"${name}.${table}","row":${row}}`);
  };
  try {
    for (const table of inReferenceOrder(await listTables(trx, name))) {
      const mover = movers[table.name];
      if (mover)
        for await (const rows of mover.read(trx))
          for (const row of rows) await writeRow(table.name, JSON.stringify(row));
      else
        for await (const rows of readCursor(trx, selectTexts(name, table)))
          for (const { row } of rows) await writeRow(table.name, row);
    }
  } finally {
    await Promise.all(Object.values(movers).map((mover) => mover.close()));
  }
};

/** Runs after the rows, because a sequence's current value is then not lower than any id in them. */
const writeSequences = async ({ schema: { name }, trx }: SchemaSnapshot, lines: Lines) => {
  for (const sequence of await listSequences(trx, name)) {
    const place = await readSequence(trx, name, sequence);
    await lines.write(JSON.stringify({ sequence: `${name}.${sequence}`, ...place }));
  }
};

/** Writes all rows of schemas as JSON lines from one snapshot, with backpressure. */
export const exportInstallation = (
  { schemas, ring, at }: ExportInstallationOptions,
  write: (line: string) => Promise<void>,
): Promise<ExportedInstallation> =>
  withSnapshots(schemas, async (snapshots) => {
    const digest = createDigest();
    const rows: Record<string, number> = {};
    const lines: Lines = {
      write: (line) => {
        digest.take(line);
        return write(line);
      },
      count: (table) => {
        rows[table] = (rows[table] ?? 0) + 1;
      },
    };
    const migrations: Record<string, string[]> = {};
    for (const { schema, trx } of snapshots)
      migrations[schema.name] = await listMigrations(trx, schema.name);
    const head = { kind: "header", format: transferFormat, latchkey: version, at };
    const probe = seal(ring, probePurpose, at.toISOString());
    await lines.write(JSON.stringify({ ...head, schemas: migrations, probe }));
    for (const snapshot of snapshots) {
      await writeTables(snapshot, lines);
      await writeSequences(snapshot, lines);
    }
    const sha256 = digest.read();
    await write(
      JSON.stringify({ kind: "end", rows, sha256, seal: seal(ring, digestPurpose, sha256) }),
    );
    return { rows, sha256 };
  });
