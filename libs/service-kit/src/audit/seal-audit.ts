import type { SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { type AuditText, canonicalEntry, firstHash, nextHash } from "./chain-hash.ts";
import { type ChainEnd, type ChainMemory, compareWithMemory } from "./chain-memory.ts";
import * as queries from "./chain-queries.ts";
import { signHead } from "./checkpoint-signature.ts";

export interface SealOptions<Tables extends KitTables> {
  db: Kysely<Tables>;
  schema: string;
  ring: SecretRing;
  clock: () => number;
  /** Private to this sealer. */
  memory: ChainMemory;
}

type Db = Kysely<KitTables>;

const batchMax = 1_000;
const checkpointMilliseconds = 60_000;
const checkpointEntries = 1_000;

const endOf = ({ position, hash }: queries.ChainState): ChainEnd => ({
  position,
  hash: hash ?? firstHash,
});

const isSignatureDue = (
  { signedPosition, signedAt }: queries.ChainState,
  { position }: Pick<ChainEnd, "position">,
  now: number,
): boolean => {
  if (position <= signedPosition) return false;
  const since = signedAt ? Math.abs(now - signedAt.getTime()) : Number.POSITIVE_INFINITY;
  return since >= checkpointMilliseconds || position - signedPosition >= checkpointEntries;
};

/** Appends seals to the chain and returns its new end. */
const append = async (
  trx: Db,
  schema: string,
  { end, rows }: { end: ChainEnd; rows: readonly AuditText[] },
): Promise<ChainEnd> => {
  if (rows.length === 0) return end;
  let { hash, position } = end;
  const seals = rows.map((row) => {
    hash = nextHash(hash, canonicalEntry(row));
    position += 1;
    return { position, auditId: row.id, hash };
  });
  await queries.insertSeals(trx, schema, seals);
  return { hash, position };
};

/** Returns the gaps between an id and the ids of these rows. */
const gapsBetween = (id: number, rows: readonly AuditText[]): queries.Gap[] => {
  const lasts = [id, ...rows.map((row) => row.id)];
  return rows
    .map((row, index) => ({ firstId: (lasts[index] ?? 0) + 1, lastId: row.id - 1 }))
    .filter(({ firstId, lastId }) => firstId <= lastId);
};

interface Progress {
  end: ChainEnd;
  hasMore: boolean;
}

/**
 * Seals rows that committed after rows with higher ids. Lists the writers before the rows, so that the rows of writers that
 * have ended by then are visible.
 */
const sealLate = async (trx: Db, schema: string, end: ChainEnd): Promise<Progress | undefined> => {
  const writers = await queries.listWriters(trx, schema);
  const rows = await queries.listLateRows(trx, schema, batchMax);
  if (rows.length > 0) return { end: await append(trx, schema, { end, rows }), hasMore: true };
  await queries.deleteGapsWithout(trx, writers);
  return undefined;
};

/**
 * Seals rows after the highest sealed id. Lists the writers after the rows, so that every writer that may still fill a gap is
 * included.
 */
const sealFresh = async (trx: Db, schema: string, state: queries.ChainState): Promise<Progress> => {
  const { sealedId, latestId } = state;
  const rows = await queries.listRowsAfter(trx, schema, { id: sealedId, limit: batchMax });
  const gaps = gapsBetween(sealedId, rows);
  if (gaps.length > 0) {
    const writers = await queries.listWriters(trx, schema);
    await queries.insertGaps(trx, schema, { gaps, writers });
  }
  const end = await append(trx, schema, { end: endOf(state), rows });
  const lastId = rows.at(-1)?.id;
  return { end, hasMore: lastId !== undefined && lastId < latestId };
};

/** Seals a batch under the chain's lock, and signs a checkpoint when one is due. */
const sealBatch = async (
  trx: Db,
  { schema, ring, clock, memory }: Omit<SealOptions<KitTables>, "db">,
  isLast: boolean,
): Promise<Progress> => {
  const state = await queries.findChainState(trx);
  await compareWithMemory(trx, { schema, ring, memory }, endOf(state));
  const late = state.hasGaps ? await sealLate(trx, schema, endOf(state)) : undefined;
  const { end, hasMore } = late ?? (await sealFresh(trx, schema, state));
  const sealedAt = new Date(clock());
  const isUnsigned = end.position > state.signedPosition;
  if (isSignatureDue(state, end, sealedAt.getTime()) || (isLast && isUnsigned))
    await queries.insertCheckpoint(trx, {
      ...end,
      sealedAt,
      signature: signHead(ring, "checkpoint", { schema, ...end, at: sealedAt }),
    });
  return { end, hasMore };
};

/**
 * Seals a batch of audit rows, and signs a checkpoint when one is due. Returns whether there is more to seal. One replica seals
 * at a time. With `isLast`, waits for the lock and signs the sealed entries. Never blocks writers of audit rows. Throws
 * `ChainCutError` if the chain does not continue the end that this sealer has seen.
 */
export const sealAudit = async <Tables extends KitTables>(
  { db, ...options }: SealOptions<Tables>,
  { isLast = false } = {},
): Promise<boolean> => {
  const { schema, clock, memory } = options;
  const kit = db as unknown as Db; // a service's tables extend these
  const seen = await queries.findChainState(kit);
  await compareWithMemory(kit, options, endOf(seen));
  memory.end = endOf(seen);
  const hasRows = seen.latestId > seen.sealedId || seen.hasGaps;
  const isIdle = !hasRows && !isSignatureDue(seen, seen, clock());
  if (isIdle && !isLast) return false;
  const progress = await kit.transaction().execute(async (trx) => {
    if (!(await queries.lockChain(trx, { schema, waits: isLast }))) return undefined;
    return sealBatch(trx, options, isLast);
  });
  if (progress) memory.end = progress.end;
  return progress?.hasMore ?? false;
};
