import type { KitTables } from "../database/kit-tables.ts";
import { registerGauge } from "../observe/gauge.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { every } from "../background/every.ts";
import type { Background } from "../background/every.ts";
import type { Kysely } from "kysely";
import { ChainCutError } from "./chain-memory.ts";
import { countUnsealed, findChainState } from "./chain-queries.ts";
import { sealAudit, type SealOptions } from "./seal-audit.ts";

export interface AuditSealerOptions<Tables extends KitTables> extends Omit<
  SealOptions<Tables>,
  "memory"
> {
  logger: Logger;
  metrics: Metrics;
  /** Called after the first look, and after each batch that moved the end of the chain, whichever replica sealed it. */
  onSealed?: () => void;
}

/** Half of the second within which a row must be sealed. */
export const sealMilliseconds = 500;
const countMax = 100_000;
const haltedMessage =
  "sealed audit entries were removed or replaced, sealing and signing stopped until a restart. Run `npx latchkey audit verify` before you restart";
/** Limits the batches at shutdown. The next process seals the rest. */
const lastBatchesMax = 10;

const registerGauges = <Tables extends KitTables>(
  { metrics, db }: AuditSealerOptions<Tables>,
  isHalted: () => boolean,
): void => {
  const kit = db as unknown as Kysely<KitTables>; // a service's tables extend these
  registerGauge(metrics, {
    name: "audit_unsealed",
    help: `Unsealed audit rows, up to ${countMax}`,
    read: async () => {
      const { sealedId } = await findChainState(kit);
      return [{ value: await countUnsealed(kit, { sealedId, max: countMax }) }];
    },
  });
  registerGauge(metrics, {
    name: "audit_sealed",
    help: "Position of the last sealed audit row, which never decreases",
    read: async () => [{ value: (await findChainState(kit)).position }],
  });
  registerGauge(metrics, {
    name: "audit_halted",
    help: "1 after sealed audit rows were removed or replaced; sealing has stopped until a restart",
    read: async () => [{ value: isHalted() ? 1 : 0 }],
  });
};

/**
 * Seals a service's audit rows within a second of their commit, and signs the sealed entries when it stops. Every replica may
 * run one. If sealed entries were removed or replaced, sealing and signing stop until a restart, because continuing would make
 * a tampered chain valid.
 */
export const startAuditSealer = <Tables extends KitTables>(
  options: AuditSealerOptions<Tables>,
): Background => {
  const { logger } = options;
  const sealing: SealOptions<Tables> = { ...options, memory: {} };
  let stopping = false;
  let isFailing = false;
  let isHalted = false;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    if (isHalted) return;
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (error instanceof ChainCutError) {
        isHalted = true;
        const { position, hash } = error.end;
        logger.error({ err: error, position, hash: hash.toString("hex") }, haltedMessage);
        return;
      }
      if (!isFailing) logger.warn({ err: error }, "failed to seal audit rows, will retry");
      isFailing = true;
    }
  };
  const sealAll = async () => {
    for (let hasMore = true; hasMore && !stopping;) {
      const before = sealing.memory.end?.position;
      hasMore = await sealAudit(sealing);
      if (sealing.memory.end?.position !== before) options.onSealed?.();
    }
  };
  const sealLast = async () => {
    for (let batch = 0; batch < lastBatchesMax; batch += 1)
      if (!(await sealAudit(sealing, { isLast: true }))) return;
  };
  registerGauges(options, () => isHalted);
  const timer = every(sealMilliseconds, logger, () => attempt(sealAll));
  return {
    stop: async () => {
      stopping = true;
      await timer.stop();
      await attempt(sealLast);
    },
  };
};
