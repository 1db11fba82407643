import { additionalFieldsOf, operations, type ServiceName } from "@latchkey/contracts";
import type { FastifyInstance } from "fastify";
import { startAuditSealer } from "../audit/start-audit-sealer.ts";
import type { Settings } from "../config/settings.ts";
import type { KitTables } from "../database/kit-tables.ts";
import { pingDatabase } from "../database/ping-database.ts";
import { consumeEvents, type EventHandlers } from "../events/consume-events.ts";
import type { Relay } from "../events/relay.ts";
import { sweepInbox } from "../events/sweep-inbox.ts";
import { createServer } from "../http/create-server.ts";
import { mountOperations } from "../http/mount-operations.ts";
import type { FirstChecks, Handlers } from "../http/run-operation.ts";
import { createServiceTokenReader } from "../http/service-token.ts";
import { vouchedSession } from "../http/vouched-session.ts";
import { startResealing } from "../secrets/reseal.ts";
import { bindAll } from "../events/bind-all.ts";
import { mountHealth } from "./health.ts";
import type { StoringCore } from "./core.ts";
import { type Background, every } from "../background/every.ts";
import type { StoringDefinition } from "./service-definition.ts";

/** The opened parts of a service with tables and events. */
export interface StoringParts<Config, Tables, Deps> {
  core: StoringCore<Config, Tables>;
  deps: Deps;
  settings: Settings;
  relay: Relay;
}

const sweepMilliseconds = 600_000;
const concurrency = 8;

/** Creates the server of a service's operations, health and metrics. */
export const createOperationsApp = <
  Name extends ServiceName,
  Config,
  Tables extends KitTables,
  Deps,
>(
  definition: StoringDefinition<Name, Config, Tables, Deps>,
  { core, deps, settings: { options } }: StoringParts<Config, Tables, Deps>,
): FastifyInstance => {
  const { name, checks, firstChecks, headersFor, resolveSession } = definition;
  const { bus, clock, db, logger, metrics, ring, tracing } = core;
  const additionalFields = additionalFieldsOf(options);
  const app = createServer(logger);
  const stores = { postgres: () => pingDatabase(db), bus: () => bus.ping() };
  mountHealth(app, { ...stores, ...checks?.(deps) }, metrics);
  mountOperations(app, {
    owned: operations[name],
    handlers: bindAll<Handlers<(typeof operations)[Name]>, Deps>(deps, definition.operations),
    ...(firstChecks && {
      firstChecks: bindAll<FirstChecks<(typeof operations)[Name]>, Deps>(deps, firstChecks),
    }),
    ring,
    clock,
    metrics,
    tracing,
    readServiceToken: createServiceTokenReader(options.serviceTokens),
    hooks: options.hooks,
    freshAgeSeconds: options.session.freshAge,
    resolveSession: resolveSession
      ? (caller, how) => resolveSession(deps, caller, how)
      : async (caller) => vouchedSession(caller, additionalFields),
    admin: options.admin,
    anonymous: options.anonymous,
    organization: options.organization,
    ...(headersFor && { headersFor: (caller) => headersFor(deps, caller) }),
    additionalFields,
  });
  return app;
};

/**
 * Starts the relay, the consumers, the clean-ups and the parts of the definition. The audit is sealed until all others have
 * stopped, because their last work writes to it.
 */
export const startStoringBackground = <
  Name extends ServiceName,
  Config,
  Tables extends KitTables,
  Deps,
>(
  {
    name,
    background,
    consumers,
    resealElsewhere,
    sweeps,
  }: StoringDefinition<Name, Config, Tables, Deps>,
  { core, deps, settings, relay }: StoringParts<Config, Tables, Deps>,
): Background => {
  relay.start();
  const parts: readonly Background[] = [
    relay,
    ...(background?.(deps, settings) ?? []),
    consumeEvents({
      ...core,
      service: name,
      handlers: bindAll<EventHandlers<Name>, Deps>(deps, consumers),
      concurrency,
    }),
    every(sweepMilliseconds, core.logger, async () => {
      for (const sweep of sweeps) await sweep(deps);
      await sweepInbox(core.db, core);
    }),
    startResealing({
      ...core,
      service: name,
      elsewhere: resealElsewhere && ((signal) => resealElsewhere(deps, signal)),
    }),
  ];
  const sealer = startAuditSealer({
    ...core,
    onSealed: () => {
      for (const part of parts) part.onSealed?.();
    },
  });
  return {
    drain: () => {
      for (const part of parts) part.drain?.();
    },
    stop: async () => {
      await Promise.allSettled(parts.map((part) => part.stop()));
      await sealer.stop();
    },
  };
};
