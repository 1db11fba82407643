import { operations } from "@latchkey/contracts";
import {
  createServer,
  createServiceTokenReader,
  mountHealth,
  mountOperations,
  pingDatabase,
  vouchedSession,
} from "@latchkey/service-kit";
import type { FastifyInstance } from "fastify";
import type { Deps } from "./deps.ts";
import { createHandlers } from "./operations.ts";

/**
 * Builds the HTTP server: operations, health and metrics. Readiness does not depend on the SMTP server, because mails wait for
 * it.
 */
export const buildApp = (deps: Deps): FastifyInstance => {
  const { config } = deps;
  const app = createServer(deps.logger);
  mountHealth(
    app,
    {
      postgres: () => pingDatabase(deps.db),
      bus: () => deps.bus.ping(),
    },
    deps.metrics,
  );
  mountOperations(app, {
    owned: operations.mailer,
    handlers: createHandlers(deps),
    ring: deps.ring,
    clock: deps.clock,
    metrics: deps.metrics,
    tracing: deps.tracing,
    readServiceToken: createServiceTokenReader(config.serviceTokens),
    hooks: config.hooks,
    freshAgeSeconds: config.freshAge,
    resolveSession: async (caller) => vouchedSession(caller, config.additionalFields),
    admin: config.admin,
  });
  return app;
};
