import type { Kysely, Transaction } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { canonicalEntry } from "./chain-hash.ts";
import {
  listCheckpoints,
  listSealedRows,
  type SealedRow,
  type SignedRow,
} from "./chain-queries.ts";
import { findStart } from "./start-queries.ts";

/** A position of a chain: its hash and the text of its entry, or undefined if the row is deleted. */
export interface ChainEntry {
  kind: "entry";
  position: number;
  hash: Buffer;
  auditId: number;
  entry: string | undefined;
}

/** A signed claim that the chain had this hash at this position. */
export interface ChainCheckpoint extends SignedRow {
  kind: "checkpoint";
}

/** A signed claim that the chain was pruned up to this position, with its hash there. */
export interface ChainStart extends SignedRow {
  kind: "start";
}

export type ChainItem = ChainStart | ChainEntry | ChainCheckpoint;

const batchMax = 200;

/** Reads from one snapshot, in a repeatable-read transaction. */
export const atOneMoment = <Tables extends KitTables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<KitTables>) => Promise<T>,
): Promise<T> =>
  (db as unknown as Kysely<KitTables>) // a service's tables extend these
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(work);

const toEntry = ({ position, hash, auditId, row }: SealedRow): ChainItem => {
  const entry = row ? canonicalEntry(row) : undefined;
  return { kind: "entry", position, hash, auditId, entry };
};

const toCheckpoint = (signed: SignedRow): ChainItem => ({ kind: "checkpoint", ...signed });

/**
 * Yields a chain from its beginning, which is a signed start if the chain was pruned. Each checkpoint follows the entry that it
 * signs (a stable sort keeps them so). Entries that a pruning has yet to delete are left out.
 */
export async function* readChain(
  trx: Transaction<KitTables>,
  schema: string,
): AsyncGenerator<ChainItem> {
  const start = await findStart(trx);
  if (start) yield { kind: "start", ...start };
  let after = start?.position ?? 0;
  for (;;) {
    const rows = await listSealedRows(trx, schema, { after, limit: batchMax });
    const upTo = rows.length === batchMax ? rows.at(-1)?.position : undefined;
    const checkpoints = await listCheckpoints(trx, { after, upTo });
    const items = [...rows.map(toEntry), ...checkpoints.map(toCheckpoint)];
    yield* items.toSorted((one, other) => one.position - other.position);
    if (upTo === undefined) return;
    after = upTo;
  }
}
