import type { KitTables } from "../database/kit-tables.ts";
import { registerGauge } from "../observe/gauge.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { every } from "../run/every.ts";
import type { Background } from "../run/service.ts";
import type { Kysely } from "kysely";
import { countUnsealed, findChainState } from "./chain-queries.ts";
import { sealAudit, type SealOptions } from "./seal-audit.ts";

export interface AuditSealerOptions<Tables extends KitTables> extends SealOptions<Tables> {
  logger: Logger;
  metrics: Metrics;
}

/** Twice in the second within which a row is to be sealed. */
const sealMilliseconds = 500;
const countMax = 100_000;
/** A service that stops leaves what is beyond that to the next one. */
const lastBatchesMax = 10;

const registerGauges = <Tables extends KitTables>(metrics: Metrics, db: Kysely<Tables>): void => {
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
};

/**
 * Seals a service's audit rows as they come, within a second of their commit, and signs what it has sealed when it stops. Every
 * replica may run one.
 */
export const startAuditSealer = <Tables extends KitTables>(
  options: AuditSealerOptions<Tables>,
): Background => {
  const { db, logger, metrics } = options;
  let stopping = false;
  let isFailing = false;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, "audit rows wait to be sealed");
      isFailing = true;
    }
  };
  const sealAll = async () => {
    while (!stopping && (await sealAudit(options)));
  };
  const sealLast = async () => {
    for (let batch = 0; batch < lastBatchesMax; batch += 1)
      if (!(await sealAudit(options, { isLast: true }))) return;
  };
  registerGauges(metrics, db);
  const sealing = every(sealMilliseconds, logger, () => attempt(sealAll));
  return {
    stop: async () => {
      stopping = true;
      await sealing.stop();
      await attempt(sealLast);
    },
  };
};
