import type { SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { appendAudit, type AuditEntry } from "./append-audit.ts";
import { lockChain } from "./chain-queries.ts";
import type { ChainVerdict } from "./check-chain.ts";
import { isSigned, signHead } from "./checkpoint-signature.ts";
import {
  deleteCheckpoints,
  deleteEntries,
  findLastCheckpointBefore,
  findStart,
  insertStart,
} from "./start-queries.ts";
import { verifyAudit, type VerifyAuditOptions } from "./verify-audit.ts";

export interface PruneAuditOptions<Tables extends KitTables> extends VerifyAuditOptions<Tables> {
  ring: SecretRing;
  /** Entries from this time on are kept. */
  before: Date;
  actor: AuditEntry["actor"];
}

/** The verdict before the pruning, the new start, and the number of deleted entries. */
export interface Pruning {
  verdict: ChainVerdict;
  start: number;
  removed: number;
}

const batchMax = 5_000;

/** Signs a checkpoint as the chain's new start, if there is a suitable one. */
const moveStart = <Tables extends KitTables>(
  { schema, keys, ring, clock, before, actor }: PruneAuditOptions<Tables>,
  kit: Kysely<KitTables>,
): Promise<void> =>
  kit.transaction().execute(async (trx) => {
    await lockChain(trx, { schema, waits: true });
    const last = await findLastCheckpointBefore(trx, before);
    if (!last || !isSigned(keys, "checkpoint", { schema, ...last, at: last.sealedAt })) return;
    const { position, hash } = last;
    const sealedAt = new Date(clock());
    const signature = signHead(ring, "start", { schema, position, hash, at: sealedAt });
    await insertStart(trx, { position, hash, sealedAt, signature });
    await appendAudit(
      trx,
      { clock },
      {
        actor,
        subject: { kind: "audit", id: schema },
        action: "audit.pruned",
        after: { position, hash: hash.toString("hex"), before: before.toISOString() },
      },
    );
  });

/**
 * Deletes the beginning of a chain up to the last checkpoint that has only older entries before it, but never the last entry.
 * Signs that checkpoint as the new start first, so that the chain is valid at every moment. The next pruning completes an
 * interrupted one. Leaves a broken chain unchanged.
 */
export const pruneAudit = async <Tables extends KitTables>(
  options: PruneAuditOptions<Tables>,
): Promise<Pruning> => {
  const verdict = await verifyAudit(options);
  if (verdict.broken) return { verdict, start: verdict.start, removed: 0 };
  const kit = options.db as unknown as Kysely<KitTables>; // a service's tables extend these
  await moveStart(options, kit);
  const start = (await findStart(kit))?.position ?? 0;
  let removed = 0;
  let count: number;
  do {
    count = await deleteEntries(kit, options.schema, { upTo: start, limit: batchMax });
    removed += count;
  } while (count > 0);
  await deleteCheckpoints(kit, start);
  return { verdict, start, removed };
};
