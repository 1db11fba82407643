import { seal, type SecretRing } from "@latchkey/crypto";
import { readCursor } from "../database/read-cursor.ts";
import { version } from "../observe/version.ts";
import type { CarriedSchema } from "./carried-schema.ts";
import { inReferenceOrder } from "./in-reference-order.ts";
import { type SchemaSnapshot, withSnapshots } from "./open-snapshots.ts";
import { listMigrations, listSequences, listTables, readSequence, selectTexts } from "./queries.ts";
import { createDigest, digestPurpose, probePurpose, transferFormat } from "./transfer-lines.ts";

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
