import type { KeyObject } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { findChainState, findUnsealed } from "./chain-queries.ts";
import { type ChainBreak, type ChainVerdict, checkChain } from "./check-chain.ts";
import { atOneMoment, readChain } from "./read-chain.ts";

export interface VerifyAuditOptions<Tables extends KitTables> {
  db: Kysely<Tables>;
  schema: string;
  /** Those that checkpoints may be signed by. */
  keys: readonly KeyObject[];
  clock: () => number;
}

/** A row may be on its way for so long, by clocks that differ a little. */
const unsealedMilliseconds = 10_000;
const unsignedMilliseconds = 300_000;
const unsignedEntries = 2_000;

/** A sealer signs what it seals within a minute. */
const breakOfEnd = (
  { entries, signedPosition, signedAt }: ChainVerdict,
  now: number,
): ChainBreak | undefined => {
  const unsigned = entries - signedPosition;
  const isRecent = signedAt !== undefined && now - signedAt.getTime() <= unsignedMilliseconds;
  if (unsigned === 0 || (isRecent && unsigned <= unsignedEntries)) return undefined;
  const position = signedPosition + 1;
  const reason =
    "from here on no checkpoint has signed the chain: checkpoints were removed, or the service was killed before it could sign and has not run since";
  return { kind: "unsigned", position, reason };
};

const breakBesideChain = async (
  trx: Transaction<KitTables>,
  { entries }: ChainVerdict,
  now: number,
): Promise<ChainBreak | undefined> => {
  const [from, to] = [new Date(now - unsealedMilliseconds), new Date(now + unsealedMilliseconds)];
  const unsealed = await findUnsealed(trx, { from, to });
  if (!unsealed) return undefined;
  const at = { position: entries, auditId: unsealed.id };
  const { sealedId } = await findChainState(trx);
  return unsealed.id < sealedId
    ? { kind: "inserted", ...at, reason: "an audit row that is not sealed is between sealed ones" }
    : {
        kind: "unsealed",
        ...at,
        reason:
          "an audit row behind the end is not sealed: it was inserted while the service did not run, or the service has stopped sealing",
      };
};

/** Follows the chain of a schema from its beginning, and looks for what is beside it. Changes nothing. */
export const verifyAudit = <Tables extends KitTables>({
  db,
  schema,
  keys,
  clock,
}: VerifyAuditOptions<Tables>): Promise<ChainVerdict> =>
  atOneMoment(db, async (trx) => {
    const check = checkChain({ schema, keys });
    for await (const item of readChain(trx, schema)) check.take(item);
    const verdict = check.verdict();
    const now = clock();
    const broken =
      verdict.broken ?? breakOfEnd(verdict, now) ?? (await breakBesideChain(trx, verdict, now));
    return { ...verdict, broken };
  });
