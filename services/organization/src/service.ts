import {
  consumeEvents,
  every,
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
import { migrateOrganization } from "./db/migrate-organization.ts";
import { migrations } from "./db/migrations.ts";
import { schema } from "./db/schema.ts";
import { createDeps, type Deps } from "./deps.ts";
import { sweepIssuedInvitations } from "./invitations/issued/sweep-issued-invitations.ts";
import { sweepDepartedUsers } from "./members/sweep-departed-users.ts";

const sweepMilliseconds = 600_000;
const concurrency = 8;

const startBackground = (deps: Deps) => {
  const relay = startRelay(deps);
  deps.wakeRelay = relay.wake;
  registerOutboxGauges(deps.metrics, relay);
  registerQueueGauge(deps.metrics, deps.bus, "organization");
  return [
    relay,
    consumeEvents({
      ...deps,
      service: "organization",
      handlers: createConsumers(deps),
      concurrency,
    }),
    every(sweepMilliseconds, deps.logger, async () => {
      await sweepDepartedUsers(deps);
      await sweepIssuedInvitations(deps);
      await sweepInbox(deps.db, deps);
    }),
  ];
};

/** Owns organizations, members, invitations and teams. */
export const organization: Service = {
  name: "organization",
  migrate: migrateOrganization,
  pendingMigrations: (settings) => pendingMigrations(settings, schema, migrations),
  portable: { migrations },
  createParts: async (settings, tracing) => {
    const deps = createDeps(settings, tracing);
    return {
      name: "organization",
      logger: deps.logger,
      servers: [{ app: buildApp(deps), port: deps.config.port }],
      startBackground: () => [
        stopLast(startAuditSealer({ ...deps, schema }), startBackground(deps)),
      ],
      close: () => closeDeps(deps),
    };
  },
};
