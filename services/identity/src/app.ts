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

/** Sessions that are in both stores wait until it is known which Redis that is. */
const checkRedis = async (redis: RedisClient, generation: RedisGeneration | undefined) => {
  await pingRedis(redis);
  generation?.();
};

/** The HTTP face of this service: its operations, health and metrics. */
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
    headersFor: deps.epochNotes.headersFor,
    additionalFields: deps.config.additionalFields,
  });
  return app;
};
