import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import type { Operation } from "@latchkey/contracts";
import { createServer, mountHealth, pingDatabase } from "@latchkey/service-kit";
import type { FastifyInstance } from "fastify";
import { createSessionCookies } from "./cookies/session-cookies.ts";
import type { Deps } from "./deps.ts";
import { createPipeline } from "./pipeline/answer-request.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The operation that the request matched, for its metrics. */
    operation: Operation | undefined;
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const securityHeaders = (deps: Deps): Record<string, string> => ({
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  ...(deps.config.baseURL?.startsWith("https://")
    ? { "strict-transport-security": "max-age=31536000; includeSubDomains" }
    : {}),
});

/** The public door: every request takes the pipeline. */
export const buildApp = (deps: Deps): FastifyInstance => {
  const always = securityHeaders(deps);
  const app = createServer(deps.logger, {
    newRequestId: randomUUID,
    headersOf: (requestId) => ({ "x-request-id": requestId, ...always }),
  });
  app.decorateRequest("operation", undefined);
  app.addHook("onResponse", (request, reply, done) => {
    deps.metrics.requestSeconds
      .labels(request.operation?.name ?? "unmatched", String(reply.statusCode))
      .observe(reply.elapsedTime / 1000);
    done();
  });
  app.register(async (scope) => {
    // Parsed by the pipeline where it needs them, so the plugin hooks nothing.
    await scope.register(cookie, { hook: false });
    const jar = createSessionCookies(scope, deps.config, deps.ring);
    const answer = createPipeline({ ...deps, jar });
    scope.route({ method: methods, url: "*", handler: answer });
  });
  return app;
};

/** Health and metrics, on a port that the public does not reach. */
export const buildInternalApp = (deps: Deps): FastifyInstance => {
  const { redis, db, config } = deps;
  const app = createServer(deps.logger);
  mountHealth(
    app,
    {
      identity: async () => {
        const answer = await fetch(`${config.urls.identity}/health/live`);
        if (!answer.ok) throw new Error(`identity answers ${answer.status}`);
      },
      ...(redis ? { redis: () => redis.ping() } : {}),
      ...(db ? { postgres: () => pingDatabase(db) } : {}),
    },
    deps.metrics,
  );
  return app;
};
