import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import type { Operation } from "@latchkey/contracts";
import { createServer, mountHealth, traceRequests } from "@latchkey/service-kit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { mountAdminWeb } from "./admin-web/mount-admin-web.ts";
import { readableTarget } from "./admin-web/readable-target.ts";
import { createSessionCookies } from "./cookies/session-cookies.ts";
import type { Deps } from "./deps.ts";
import type { Admitted } from "./pipeline/admitted.ts";
import { ownChecks } from "./installation/own-checks.ts";
import { createPipeline } from "./pipeline/answer-request.ts";
import { mountReference } from "./reference/mount-reference.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set once the request was let in. */
    admitted: Admitted | undefined;
    /** Which one it asks for, whether it is let in or not. */
    operation: Operation | undefined;
  }
  interface FastifyContextConfig {
    /** What the metrics call a route that is no operation. */
    metricsName?: string;
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const securityHeaders = (deps: Deps): Record<string, string> => ({
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // A page of another origin may not take an answer for an image or a script of its own.
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  ...(deps.config.baseURL?.startsWith("https://")
    ? { "strict-transport-security": "max-age=31536000" }
    : {}),
});

const nameOf = ({ operation, routeOptions }: FastifyRequest): string =>
  operation?.name ?? routeOptions.config.metricsName ?? "unmatched";

const traceApp = (app: FastifyInstance, { tracing }: Pick<Deps, "tracing">): void => {
  if (!tracing) return;
  const hooks = traceRequests(tracing, (request) => ({
    route: request.operation?.path,
    operation: nameOf(request),
    requestId: request.id,
  }));
  app.addHook("onRequest", hooks.onRequest);
  app.addHook("preHandler", hooks.preHandler);
  app.addHook("onResponse", hooks.onResponse);
};

/** The public door: every request takes the pipeline, but for the files of the reference page and the admin web. */
export const buildApp = (deps: Deps): FastifyInstance => {
  const always = securityHeaders(deps);
  const app = createServer(deps.logger, {
    newRequestId: randomUUID,
    headersOf: (requestId) => ({ "x-request-id": requestId, ...always }),
    targetFor: readableTarget(deps.config),
  });
  app.decorateRequest("admitted", undefined);
  app.decorateRequest("operation", undefined);
  traceApp(app, deps);
  app.addHook("onResponse", (request, reply, done) => {
    deps.metrics.observeRequest(nameOf(request), reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.register(async (scope) => {
    // Parsed by the pipeline where it needs them, so the plugin hooks nothing.
    await scope.register(cookie, { hook: false });
    const jar = createSessionCookies(scope, deps);
    const pipeline = createPipeline({ ...deps, jar });
    scope.addHook("onRequest", async (request, reply) => {
      request.admitted = await pipeline.admit(request, reply);
      return request.admitted ? undefined : reply;
    });
    scope.route({
      method: methods,
      url: "*",
      handler: async (request, reply) =>
        request.admitted ? pipeline.answer(request.admitted, reply) : reply,
    });
  });
  app.register((scope) => mountReference(scope, deps));
  app.register((scope) => mountAdminWeb(scope, deps));
  return app;
};

/** Health and metrics, on a port that the public does not reach. */
export const buildInternalApp = (deps: Deps): FastifyInstance => {
  const app = createServer(deps.logger);
  mountHealth(app, ownChecks(deps), deps.metrics);
  return app;
};
