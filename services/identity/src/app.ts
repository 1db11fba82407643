import { operations } from "@latchkey/contracts";
import {
  createServer,
  createServiceTokenReader,
  mountHealth,
  mountOperations,
  pingDatabase,
  pingRedis,
  type RedisClient,
} from "@latchkey/service-kit";
import type { FastifyInstance } from "fastify";
import type { Deps } from "./deps.ts";
import { createFirstChecks, createHandlers } from "./operations.ts";
import type { RedisGeneration } from "./sessions/redis-generation.ts";
import { resolveCaller } from "./sessions/resolve-caller.ts";

/** With sessions in both stores, waits until the generation of Redis is known. */
const checkRedis = async (redis: RedisClient, generation: RedisGeneration | undefined) => {
  await pingRedis(redis);
  generation?.();
};

/** Builds the HTTP server of this service: operations, health and metrics. */
export const buildApp = (deps: Deps): FastifyInstance => {
  const { redis, redisGeneration } = deps;
  const app = createServer(deps.logger);
  mountHealth(
    app,
    {
      postgres: () => pingDatabase(deps.db),
      ...(redis ? { redis: () => checkRedis(redis, redisGeneration) } : {}),
      bus: () => deps.bus.ping(),
    },
    deps.metrics,
  );
  mountOperations(app, {
    owned: operations.identity,
    handlers: createHandlers(deps),
    ring: deps.ring,
    clock: deps.clock,
    metrics: deps.metrics,
    tracing: deps.tracing,
    readServiceToken: createServiceTokenReader(deps.config.serviceTokens),
    hooks: deps.config.hooks,
    freshAgeSeconds: deps.config.session.freshAge,
    firstChecks: createFirstChecks(deps),
    resolveSession: (caller, options) => resolveCaller(deps, caller, options),
    admin: deps.config.admin,
    headersFor: (caller) => ({
      ...deps.epochNotes.headersFor(caller),
      ...deps.urgentEvents.headersFor(caller),
    }),
    additionalFields: deps.config.additionalFields,
  });
  return app;
};
