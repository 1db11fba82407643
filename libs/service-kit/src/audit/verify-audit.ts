import type { KeyObject } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { breakOfEnd } from "./break-of-end.ts";
import { findChainState, findIfUnsealed, findUnsealed } from "./chain-queries.ts";
import { type ChainBreak, type ChainVerdict, checkChain } from "./check-chain.ts";
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

/**
 * A row without a seal. One whose transaction took long looks old when it comes, and low in the order of ids, so a sealer gets time
 * for what is found; for each such row anew, until none is left or one stays.
 */
const findLeftOut = async <Tables extends KitTables>({
  db,
  clock,
  pause = () => wait(pauseMilliseconds),
}: VerifyAuditOptions<Tables>) => {
  for (;;) {
    const now = clock();
    const [from, to] = [new Date(now - unsealedMilliseconds), new Date(now + unsealedMilliseconds)];
    const found = await atOneMoment(db, (trx) => findUnsealed(trx, { from, to }));
    if (!found) return undefined;
    await pause();
    const left = await atOneMoment(db, async (trx) => {
      const row = await findIfUnsealed(trx, found.id);
      return row && { ...row, sealedId: (await findChainState(trx)).sealedId };
    });
    if (left) return left;
  }
};

const breakBesideChain = async <Tables extends KitTables>(
  options: VerifyAuditOptions<Tables>,
  { entries }: ChainVerdict,
): Promise<ChainBreak | undefined> => {
  const left = await findLeftOut(options);
  if (!left) return undefined;
  const at = { position: entries, auditId: left.id };
  return left.id < left.sealedId && !left.isAwaited
    ? { kind: "inserted", ...at, reason: "an audit row that is not sealed is between sealed ones" }
    : {
        kind: "unsealed",
        ...at,
        reason:
          "an audit row behind the end is not sealed: it was inserted while the service did not run, or the service has stopped sealing",
      };
};

/** Follows the chain of a schema from its beginning, and looks for what is beside it. Changes nothing. */
export const verifyAudit = async <Tables extends KitTables>(
  options: VerifyAuditOptions<Tables>,
): Promise<ChainVerdict> => {
  const { db, schema, keys, clock } = options;
  const verdict = await atOneMoment(db, async (trx) => {
    const check = checkChain({ schema, keys });
    for await (const item of readChain(trx, schema)) check.take(item);
    const found = check.verdict();
    return { ...found, broken: found.broken ?? breakOfEnd(found, clock()) };
  });
  return { ...verdict, broken: verdict.broken ?? (await breakBesideChain(options, verdict)) };
};
