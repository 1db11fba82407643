import type { KeyObject } from "node:crypto";
import type { Transaction } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { canonicalEntry, firstHash, nextHash } from "./chain-hash.ts";
import { listSealedRows, type SealedRow } from "./chain-queries.ts";
import { isSigned } from "./checkpoint-signature.ts";
import { findFirstSeal, findSigned, findStart } from "./start-queries.ts";

/** The number of entries that an interrupted pruning has left, and the first seal outside the chain. */
export interface Leftovers {
  count: number;
  stray?: { position: number; auditId: number };
}

type Of = { schema: string; keys: readonly KeyObject[] };
type Place = { position: number; hash: Buffer };

const batchMax = 200;

/**
 * Returns the place where the remaining entries begin. It is always signed, because pruning removes entries from one signed
 * place to the next.
 */
const findBase = async (
  trx: Transaction<KitTables>,
  { schema, keys }: Of,
  position: number,
): Promise<Place | undefined> => {
  if (position === 0) return { position, hash: firstHash };
  const [checkpoint, start] = await Promise.all([
    findSigned(trx, "auditCheckpoint", position),
    findSigned(trx, "auditStart", position),
  ]);
  if (
    checkpoint &&
    isSigned(keys, "checkpoint", { schema, ...checkpoint, at: checkpoint.sealedAt })
  )
    return checkpoint;
  return start && isSigned(keys, "start", { schema, ...start, at: start.sealedAt })
    ? start
    : undefined;
};

const follow = ({ position, hash }: Place, { row, ...seal }: SealedRow): Place | undefined => {
  if (seal.position !== position + 1 || !row) return undefined;
  const next = nextHash(hash, canonicalEntry(row));
  return next.equals(seal.hash) ? { position: seal.position, hash: next } : undefined;
};

/**
 * Checks the seals before the chain's start, which has a verified signature. They are valid leftovers if they lead from one
 * signed place to the start. Otherwise somebody without the secret has inserted them.
 */
export const checkLeftovers = async (trx: Transaction<KitTables>, of: Of): Promise<Leftovers> => {
  const start: Place = (await findStart(trx)) ?? { position: 0, hash: firstHash };
  const first = await findFirstSeal(trx);
  if (!first || first.position > start.position) return { count: 0 };
  let place = await findBase(trx, of, first.position - 1);
  if (!place) return { count: 0, stray: first };
  let last: SealedRow | undefined;
  while (place.position < start.position) {
    const rows = await listSealedRows(trx, of.schema, { after: place.position, limit: batchMax });
    for (const row of rows.filter(({ position }) => position <= start.position)) {
      place = follow(place, row);
      if (!place) return { count: 0, stray: row };
      last = row;
    }
    if (rows.length < batchMax) break;
  }
  const leads = place.position === start.position && place.hash.equals(start.hash);
  return leads
    ? { count: start.position - first.position + 1 }
    : { count: 0, stray: last ?? first };
};
