import type { KitTables } from "../database/kit-tables.ts";
import { registerGauge } from "../observe/gauge.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { every } from "../run/every.ts";
import type { Background } from "../run/service.ts";
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
}

/** Twice in the second within which a row is to be sealed. */
const sealMilliseconds = 500;
const countMax = 100_000;
const haltedMessage =
  "sealed audit entries are gone or others: nothing more is sealed or signed until this process is started anew. See what `npx latchkey audit verify` finds first";
/** A service that stops leaves what is beyond that to the next one. */
const lastBatchesMax = 10;

const registerGauges = <Tables extends KitTables>(
  { metrics, db }: AuditSealerOptions<Tables>,
  isHalted: () => boolean,
): void => {
  const kit = db as unknown as Kysely<KitTables>; // a service's tables extend these
  registerGauge(metrics, {
    name: "audit_unsealed",
    help: `Audit rows that are not sealed yet, up to ${countMax}`,
    read: async () => {
      const { sealedId } = await findChainState(kit);
      return [{ value: await countUnsealed(kit, { sealedId, max: countMax }) }];
    },
  });
  registerGauge(metrics, {
    name: "audit_sealed",
    help: "Position of the last audit row that is sealed, which never goes back",
    read: async () => [{ value: (await findChainState(kit)).position }],
  });
  registerGauge(metrics, {
    name: "audit_halted",
    help: "1 once sealed audit rows were gone or others, so that nothing is sealed until a restart",
    read: async () => [{ value: isHalted() ? 1 : 0 }],
  });
};

/**
 * Seals a service's audit rows as they come, within a second of their commit, and signs what it has sealed when it stops. Every
 * replica may run one. Where sealed entries are gone or are others it seals and signs nothing more, until it is started anew: a chain
 * that was tampered with must not become whole by going on.
 */
export const startAuditSealer = <Tables extends KitTables>(
  options: AuditSealerOptions<Tables>,
): Background => {
  const { logger } = options;
  const sealing = { ...options, memory: {} };
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
      if (!isFailing) logger.warn({ err: error }, "audit rows wait to be sealed");
      isFailing = true;
    }
  };
  const sealAll = async () => {
    while (!stopping && (await sealAudit(sealing)));
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
