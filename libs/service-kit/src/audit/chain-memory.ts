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

/** The last chain end that this sealer has seen. */
export interface ChainMemory {
  end?: ChainEnd;
}

/** The chain lacks an end that it had before: sealed entries were removed or replaced. */
export class ChainCutError extends Error {
  override readonly name = "ChainCutError";
  readonly end: ChainEnd;
  constructor(end: ChainEnd) {
    super(`the audit chain had a different hash at position ${end.position}`);
    this.end = end;
  }
}

/** Returns whether a signed start shows that seals up to this position were pruned. */
const isPruned = async (
  db: Kysely<KitTables>,
  { schema, ring }: { schema: string; ring: SecretRing },
  position: number,
): Promise<boolean> => {
  const start = await findStart(db);
  if (!start || start.position < position) return false;
  return isSigned(checkpointKeys(ring), "start", { schema, ...start, at: start.sealedAt });
};

/** Throws `ChainCutError` if the chain with this end does not continue the end that was seen before. */
export const compareWithMemory = async (
  db: Kysely<KitTables>,
  { memory, ...of }: { schema: string; ring: SecretRing; memory: ChainMemory },
  { position, hash }: ChainEnd,
): Promise<void> => {
  const before = memory.end;
  if (before === undefined || before.position === 0) return;
  const currentHash = position === before.position ? hash : await findSealHash(db, before.position);
  if (currentHash?.equals(before.hash)) return;
  if (currentHash || !(await isPruned(db, of, before.position))) throw new ChainCutError(before);
};
