import {
  consumeEvents,
  every,
  keepWriting,
  registerOutboxGauges,
  registerQueueGauge,
  registerRedisGauge,
  listen,
  pendingMigrations,
  type Service,
  type Settings,
  startAuditSealer,
  startRelay,
  stopLast,
  sweepInbox,
} from "@latchkey/service-kit";
import { buildApp } from "./app.ts";
import { closeDeps } from "./close-deps.ts";
import { createConsumers } from "./consumers.ts";
import { migrateIdentity } from "./db/migrate-identity.ts";
import { migrations } from "./db/migrations.ts";
import { schema } from "./db/schema.ts";
import { createDeps, type Deps } from "./deps.ts";
import { portable } from "./portable.ts";
import { epochChannel } from "./epochs/queries.ts";
import { sweepWindows } from "./limits/sweep-windows.ts";
import { sweepEpochs } from "./epochs/sweep-epochs.ts";
import { sweepActiveUsers } from "./statistics/sweep-active-users.ts";
import { sweepVerifications } from "./verification/sweep-verifications.ts";
import { sweepSigningKeys } from "./tokens/sweep-signing-keys.ts";
import { sweepSessions } from "./sessions/sweep-sessions.ts";

const sweepMilliseconds = 600_000;
const concurrency = 8;

const startBackground = (deps: Deps, settings: Settings) => {
  const relay = startRelay(deps);
  deps.wakeRelay = relay.wake;
  registerOutboxGauges(deps.metrics, relay);
  registerQueueGauge(deps.metrics, deps.bus, "identity");
  if (deps.redis) registerRedisGauge(deps.metrics, deps.redis);
  void deps.signingKeys.ensure();
  const { epochSignal, logger } = deps;
  const onNotified = () => epochSignal.wake();
  return [
    relay,
    ...(deps.config.session.cookieCache.enabled
      ? [listen({ settings, channel: epochChannel, onNotified, logger })]
      : []),
    consumeEvents({ ...deps, service: "identity", handlers: createConsumers(deps), concurrency }),
    keepWriting(deps.activity, logger),
    every(sweepMilliseconds, deps.logger, async () => {
      await sweepSessions(deps);
      await sweepVerifications(deps);
      await sweepEpochs(deps);
      await sweepSigningKeys(deps);
      await sweepActiveUsers(deps);
      await sweepWindows(deps);
      await sweepInbox(deps.db, deps);
    }),
  ];
};

/** Users, sessions, accounts and verification. */
export const identity: Service = {
  name: "identity",
  migrate: migrateIdentity,
  pendingMigrations: (settings) => pendingMigrations(settings, schema, migrations),
  portable,
  createParts: async (settings, tracing) => {
    const deps = createDeps(settings, tracing);
    return {
      name: "identity",
      logger: deps.logger,
      servers: [{ app: buildApp(deps), port: deps.config.port }],
      startBackground: () => [
        stopLast(startAuditSealer({ ...deps, schema }), startBackground(deps, settings)),
      ],
      close: () => closeDeps(deps),
    };
  },
};
