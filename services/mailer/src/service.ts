import {
  consumeEvents,
  every,
  migrateSchema,
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
import { createConsumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { schema } from "./db/schema.ts";
import { sweepDeliveries } from "./deliveries/sweep-deliveries.ts";
import { sweepDepartedUsers } from "./departed-users/sweep-departed-users.ts";
import { createDeps, type Deps } from "./deps.ts";

const sweepMilliseconds = 600_000;
const concurrency = 8;

const startBackground = (deps: Deps) => {
  const relay = startRelay(deps);
  deps.wakeRelay = relay.wake;
  registerOutboxGauges(deps.metrics, relay);
  registerQueueGauge(deps.metrics, deps.bus, "mailer");
  return [
    relay,
    consumeEvents({
      ...deps,
      service: "mailer",
      handlers: createConsumers(deps),
      concurrency,
    }),
    every(sweepMilliseconds, deps.logger, async () => {
      await sweepDeliveries(deps);
      await sweepDepartedUsers(deps);
      await sweepInbox(deps.db, deps);
    }),
  ];
};

/** Turns events into mails. */
export const mailer: Service = {
  name: "mailer",
  migrate: (settings) => migrateSchema(settings, schema, migrations),
  pendingMigrations: (settings) => pendingMigrations(settings, schema, migrations),
  portable: { migrations },
  createParts: async (settings, tracing) => {
    const deps = createDeps(settings, tracing);
    return {
      name: "mailer",
      logger: deps.logger,
      servers: [{ app: buildApp(deps), port: deps.config.port }],
      startBackground: () => [
        stopLast(startAuditSealer({ ...deps, schema }), startBackground(deps)),
      ],
      close: async () => {
        await deps.bus.close();
        deps.transport?.close();
        await deps.db.destroy();
      },
    };
  },
};
