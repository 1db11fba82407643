import {
  consumeEvents,
  registerQueueGauge,
  every,
  migrateSchema,
  pendingMigrations,
  type Service,
  sweepInbox,
} from "@latchkey/service-kit";
import { buildApp } from "./app.ts";
import { createConsumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { sweepDeliveries } from "./deliveries/sweep-deliveries.ts";
import { createDeps, type Deps, schema } from "./deps.ts";

const sweepMilliseconds = 600_000;
const concurrency = 8;

const startBackground = (deps: Deps) => {
  registerQueueGauge(deps.metrics, deps.bus, "mailer");
  return [
    consumeEvents({
      ...deps,
      service: "mailer",
      handlers: createConsumers(deps),
      concurrency,
    }),
    every(sweepMilliseconds, deps.logger, async () => {
      await sweepDeliveries(deps);
      await sweepInbox(deps.db, deps);
    }),
  ];
};

/** Turns events into mails. */
export const mailer: Service = {
  name: "mailer",
  migrate: (settings) => migrateSchema(settings, schema, migrations),
  pendingMigrations: (settings) => pendingMigrations(settings, schema, migrations),
  createParts: async (settings) => {
    const deps = createDeps(settings);
    return {
      name: "mailer",
      logger: deps.logger,
      servers: [{ app: buildApp(deps), port: deps.config.port }],
      startBackground: () => startBackground(deps),
      close: async () => {
        await deps.bus.close();
        deps.transport?.close();
        await deps.db.destroy();
      },
    };
  },
};
