import {
  consumeEvents,
  every,
  registerGauge,
  registerOutboxGauges,
  registerQueueGauge,
  migrateSchema,
  type Service,
  startRelay,
  sweepInbox,
} from "@latchkey/service-kit";
import { buildApp } from "./app.ts";
import { createConsumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps, type Deps, schema } from "./deps.ts";
import { sweepSessions } from "./sessions/sweep-sessions.ts";

const sweepMilliseconds = 600_000;
const concurrency = 8;

const startBackground = (deps: Deps) => {
  const relay = startRelay(deps);
  deps.wakeRelay = relay.wake;
  registerOutboxGauges(deps.metrics, relay);
  registerQueueGauge(deps.metrics, deps.bus, "identity");
  registerGauge(deps.metrics, {
    name: "password_hashes",
    help: "Password hashes being computed and waiting",
    labels: ["condition"],
    read: async () =>
      Object.entries(deps.passwords.stats()).map(([condition, value]) => ({
        labels: { condition },
        value,
      })),
  });
  return [
    relay,
    consumeEvents({ ...deps, service: "identity", handlers: createConsumers(deps), concurrency }),
    every(sweepMilliseconds, deps.logger, async () => {
      await sweepSessions(deps);
      await sweepInbox(deps.db, deps);
    }),
  ];
};

/** Users, sessions, accounts and verification. */
export const identity: Service = {
  name: "identity",
  migrate: (settings) => migrateSchema(settings, schema, migrations),
  createParts: async (settings) => {
    const deps = createDeps(settings);
    return {
      name: "identity",
      logger: deps.logger,
      servers: [{ app: buildApp(deps), port: deps.config.port }],
      startBackground: () => startBackground(deps),
      close: async () => {
        await deps.bus.close();
        deps.redis?.disconnect();
        await deps.db.destroy();
      },
    };
  },
};
