import type { KeyObject } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { breakOfEnd } from "./break-of-end.ts";
import { findChainState, findIfUnsealed, findUnsealed } from "./chain-queries.ts";
import { type ChainBreak, type ChainVerdict, checkChain } from "./check-chain.ts";
import { checkLeftovers, type Leftovers } from "./check-leftovers.ts";
import { atOneMoment, readChain } from "./read-chain.ts";

export interface VerifyAuditOptions<Tables extends KitTables> {
  db: Kysely<Tables>;
  schema: string;
  /** The keys that may sign checkpoints. */
  keys: readonly KeyObject[];
  clock: () => number;
  /** Waits so that a running sealer can seal. */
  pause?: () => Promise<unknown>;
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
  { db, clock, pause = () => wait(pauseMilliseconds) }: VerifyAuditOptions<Tables>,
  upTo: number,
) => {
  for (let round = 1; ; round += 1) {
    const now = clock();
    const [from, to] = [new Date(now - unsealedMilliseconds), new Date(now + unsealedMilliseconds)];
    const found = await atOneMoment(db, (trx) => findUnsealed(trx, { upTo, from, to }));
    if (!found) return undefined;
    await pause();
    const left = await atOneMoment(db, async (trx) => {
      const row = await findIfUnsealed(trx, found.id);
      const { sealedId } = await findChainState(trx);
      return (row ?? round >= roundsMax) ? { ...found, ...row, sealedId } : undefined;
    });
    if (left) return left;
  }
};

const breakBesideChain = async <Tables extends KitTables>(
  options: VerifyAuditOptions<Tables>,
  { entries, latestId }: Pick<ChainVerdict, "entries"> & { latestId: number },
): Promise<ChainBreak | undefined> => {
  const left = await findLeftOut(options, latestId);
  if (!left) return undefined;
  const at = { position: entries, auditId: left.id };
  return left.id < left.sealedId && !left.isAwaited
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
    const found = check.verdict();
    const leftovers = found.broken ? { count: 0 } : await checkLeftovers(trx, { schema, keys });
    return {
      ...found,
      leftovers: leftovers.count,
      broken: found.broken ?? breakOfStray(found, leftovers) ?? breakOfEnd(found, clock()),
      latestId: (await findChainState(trx)).latestId,
    };
  });
  const { entries } = verdict;
  const broken = verdict.broken ?? (await breakBesideChain(options, { entries, latestId }));
  return { ...verdict, broken };
};
