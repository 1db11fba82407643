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

/** A place of a chain: its hash, and the text of the entry that was sealed there; undefined where that is gone. */
export interface ChainEntry {
  kind: "entry";
  position: number;
  hash: Buffer;
  auditId: number;
  entry: string | undefined;
}

/** That the chain had this hash at this position, signed. */
export interface ChainCheckpoint extends SignedRow {
  kind: "checkpoint";
}

/** That the chain begins after this position, up to which it was pruned, with the hash that it had there, signed. */
export interface ChainStart extends SignedRow {
  kind: "start";
}

export type ChainItem = ChainStart | ChainEntry | ChainCheckpoint;

const batchMax = 200;

/** Reads one schema as it is at one moment, in a transaction that sees no later change. */
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
 * A chain from its beginning, which is a start where it was pruned, each checkpoint after the entry that it signs (a stable sort
 * keeps them so). What a pruning has yet to remove is left out.
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
