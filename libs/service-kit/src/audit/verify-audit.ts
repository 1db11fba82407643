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
  /** Those that checkpoints may be signed by. */
  keys: readonly KeyObject[];
  clock: () => number;
  /** Lets a sealer that runs do its work. */
  pause?: () => Promise<unknown>;
}

/** A row may be on its way for so long, by clocks that differ a little; once it is there, it is sealed well within a pause. */
const unsealedMilliseconds = 10_000;
const pauseMilliseconds = 3_000;
/** A minute of pauses: what was there before them is sealed by then. */
const roundsMax = 20;

/**
 * A row without a seal, up to the id that was the highest when the verification began. One whose transaction took long looks old
 * when it comes, and low in the order of ids, so a sealer gets time for what is found; for each such row anew, until none is left or
 * one stays, or until it is time that none were.
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
    ? { kind: "inserted", ...at, reason: "an audit row that is not sealed is between sealed ones" }
    : {
        kind: "unsealed",
        ...at,
        reason:
          "an audit row behind the end is not sealed: it was inserted while the service did not run, or the service has stopped sealing or is far behind",
      };
};

const breakOfStray = ({ entries }: ChainVerdict, { stray }: Leftovers): ChainBreak | undefined =>
  stray && {
    kind: "inserted",
    position: entries,
    auditId: stray.auditId,
    reason: `an audit row has a seal that is not of the chain, at position ${stray.position}`,
  };

/** Follows the chain of a schema from its beginning, and looks for what is beside it. Changes nothing. */
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
