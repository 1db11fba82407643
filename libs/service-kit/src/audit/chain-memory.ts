import type { SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { findSealHash } from "./chain-queries.ts";
import { checkpointKeys, isSigned } from "./checkpoint-signature.ts";
import { findStart } from "./start-queries.ts";

/** The end of a chain. */
export interface ChainEnd {
  position: number;
  hash: Buffer;
}

/** What a sealer has seen of a chain: where it ended last. */
export interface ChainMemory {
  end?: ChainEnd;
}

/** A chain without an end that it had before: entries that were sealed are gone, or are others. */
export class ChainCutError extends Error {
  override readonly name = "ChainCutError";
  readonly end: ChainEnd;
  constructor(end: ChainEnd) {
    super(`the chain had another hash at position ${end.position}`);
    this.end = end;
  }
}

/** Whether seals up to a position were removed by who has the secret. */
const isPruned = async (
  db: Kysely<KitTables>,
  { schema, ring }: { schema: string; ring: SecretRing },
  position: number,
): Promise<boolean> => {
  const start = await findStart(db);
  if (!start || start.position < position) return false;
  return isSigned(checkpointKeys(ring), "start", { schema, ...start, at: start.sealedAt });
};

/** Throws `ChainCutError` where a chain that now ends so does not go on from where it ended before. */
export const compareWithMemory = async (
  db: Kysely<KitTables>,
  { memory, ...of }: { schema: string; ring: SecretRing; memory: ChainMemory },
  { position, hash }: ChainEnd,
): Promise<void> => {
  const before = memory.end;
  if (before === undefined || before.position === 0) return;
  const found = position === before.position ? hash : await findSealHash(db, before.position);
  if (found?.equals(before.hash)) return;
  if (found || !(await isPruned(db, of, before.position))) throw new ChainCutError(before);
};
