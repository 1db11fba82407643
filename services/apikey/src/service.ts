import {
  consumeEvents,
  every,
  keepWriting,
  pendingMigrations,
  registerOutboxGauges,
  registerQueueGauge,
  type Service,
  startAuditSealer,
  startRelay,
  stopLast,
  sweepInbox,
} from "@latchkey/service-kit";
import { buildApp } from "./app.ts";
import { closeDeps } from "./close-deps.ts";
import { createConsumers } from "./consumers.ts";
import { migrateApiKey } from "./db/migrate-apikey.ts";
import { migrations } from "./db/migrations.ts";
import { schema } from "./db/schema.ts";
import { createDeps, type Deps } from "./deps.ts";
import { sweepExpiredKeys } from "./keys/sweep-expired-keys.ts";
import { sweepDepartedOwners } from "./owners/sweep-departed-owners.ts";
import { sweepUsage } from "./usage/sweep-usage.ts";

const expiryMilliseconds = 10_000;
const sweepMilliseconds = 600_000;
const concurrency = 8;

const startBackground = (deps: Deps) => {
  const relay = startRelay(deps);
  deps.wakeRelay = relay.wake;
  registerOutboxGauges(deps.metrics, relay);
  registerQueueGauge(deps.metrics, deps.bus, "apikey");
  return [
    relay,
    consumeEvents({ ...deps, service: "apikey", handlers: createConsumers(deps), concurrency }),
    keepWriting(deps.usage, deps.logger),
    every(expiryMilliseconds, deps.logger, () => sweepExpiredKeys(deps)),
    every(sweepMilliseconds, deps.logger, async () => {
      await sweepDepartedOwners(deps);
      await sweepUsage(deps);
      await sweepInbox(deps.db, deps);
    }),
  ];
};

/** Owns API keys, their limits and their verification. */
export const apikey: Service = {
  name: "apikey",
  migrate: migrateApiKey,
  pendingMigrations: (settings) => pendingMigrations(settings, schema, migrations),
  portable: { migrations },
  createParts: async (settings, tracing) => {
    const deps = createDeps(settings, tracing);
    return {
      name: "apikey",
      logger: deps.logger,
      servers: [{ app: buildApp(deps), port: deps.config.port }],
      startBackground: () => [
        stopLast(startAuditSealer({ ...deps, schema }), startBackground(deps)),
      ],
      close: () => closeDeps(deps),
    };
  },
};
