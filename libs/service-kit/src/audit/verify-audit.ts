import type { KeyObject } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { breakOfEnd } from "./break-of-end.ts";
import {
  findChainState,
  findIfUnsealed,
  findUnsealed,
  listSealedRows,
  type SealedRow,
} from "./chain-queries.ts";
import { type ChainBreak, type ChainVerdict, checkChain } from "./check-chain.ts";
import { atOneMoment, readChain } from "./read-chain.ts";
import { canonicalEntry, firstHash, nextHash } from "./chain-hash.ts";
import { isSigned } from "./checkpoint-signature.ts";
import { findFirstSeal, findSigned, findStart } from "./start-queries.ts";

/** The number of entries that an interrupted pruning has left, and the first seal outside the chain. */
interface Leftovers {
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
const checkLeftovers = async (trx: Transaction<KitTables>, of: Of): Promise<Leftovers> => {
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

export interface VerifyAuditOptions<Tables extends KitTables> {
  db: Kysely<Tables>;
  schema: string;
  /** The keys that may sign checkpoints. */
  keys: readonly KeyObject[];
  clock: () => number;
  /** Waits so that a running sealer can seal. */
  pause?: () => Promise<unknown>;
  /** Whether no sealer runs, as before the first start of a restored database. Rows after the end are then sealed at the start. */
  isStopped?: boolean;
}

/** Tolerance for slow commits and clock skew. A committed row is sealed well within one pause. */
const unsealedMilliseconds = 10_000;
const pauseMilliseconds = 3_000;
/** One minute of pauses in total. Rows that existed before are sealed by then. */
const roundsMax = 20;

/**
 * Returns an unsealed row up to the id that was the highest when the verification began. The row of a slow transaction has an
 * old time and a low id when it appears, so the sealer gets time for each row that is found. The loop ends when none is left,
 * when one stays unsealed, or after `roundsMax` pauses.
 */
const findLeftOut = async <Tables extends KitTables>(
  { db, clock, pause = () => wait(pauseMilliseconds), isStopped }: VerifyAuditOptions<Tables>,
  latestId: number,
) => {
  if (isStopped)
    return atOneMoment(db, async (trx) => {
      const { sealedId } = await findChainState(trx);
      const insertedRow = await findUnsealed(trx, { upTo: sealedId, isAwaited: false });
      return insertedRow && { ...insertedRow, sealedId };
    });
  for (let round = 1; ; round += 1) {
    const now = clock();
    const [from, to] = [new Date(now - unsealedMilliseconds), new Date(now + unsealedMilliseconds)];
    const unsealedRow = await atOneMoment(db, (trx) =>
      findUnsealed(trx, { upTo: latestId, except: { from, to } }),
    );
    if (!unsealedRow) return undefined;
    await pause();
    const leftOutRow = await atOneMoment(db, async (trx) => {
      const row = await findIfUnsealed(trx, unsealedRow.id);
      const { sealedId } = await findChainState(trx);
      return (row ?? round >= roundsMax) ? { ...unsealedRow, ...row, sealedId } : undefined;
    });
    if (leftOutRow) return leftOutRow;
  }
};

const breakBesideChain = async <Tables extends KitTables>(
  options: VerifyAuditOptions<Tables>,
  { entries, latestId }: Pick<ChainVerdict, "entries"> & { latestId: number },
): Promise<ChainBreak | undefined> => {
  const leftOutRow = await findLeftOut(options, latestId);
  if (!leftOutRow) return undefined;
  const at = { position: entries, auditId: leftOutRow.id };
  return leftOutRow.id < leftOutRow.sealedId && !leftOutRow.isAwaited
    ? { kind: "inserted", ...at, reason: "there is an unsealed audit row between sealed ones" }
    : {
        kind: "unsealed",
        ...at,
        reason:
          "an audit row after the end is not sealed: it was inserted while the service did not run, or the service has stopped sealing or is far behind",
      };
};

const breakOfStray = ({ entries }: ChainVerdict, { stray }: Leftovers): ChainBreak | undefined =>
  stray && {
    kind: "inserted",
    position: entries,
    auditId: stray.auditId,
    reason: `an audit row has a seal outside the chain, at position ${stray.position}`,
  };

/** Checks the chain of a schema from its beginning, and looks for rows outside it. Changes nothing. */
export const verifyAudit = async <Tables extends KitTables>(
  options: VerifyAuditOptions<Tables>,
): Promise<ChainVerdict> => {
  const { db, schema, keys, clock } = options;
  const { latestId, ...verdict } = await atOneMoment(db, async (trx) => {
    const check = checkChain({ schema, keys });
    for await (const item of readChain(trx, schema)) check.take(item);
    const chainVerdict = check.verdict();
    const leftovers = chainVerdict.broken
      ? { count: 0 }
      : await checkLeftovers(trx, { schema, keys });
    return {
      ...chainVerdict,
      leftovers: leftovers.count,
      broken:
        chainVerdict.broken ??
        breakOfStray(chainVerdict, leftovers) ??
        breakOfEnd(chainVerdict, clock()),
      latestId: (await findChainState(trx)).latestId,
    };
  });
  const { entries } = verdict;
  const broken = verdict.broken ?? (await breakBesideChain(options, { entries, latestId }));
  return { ...verdict, broken };
};
