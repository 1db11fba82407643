import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import type { Operation, WireError } from "@latchkey/contracts";
import { createServer } from "@latchkey/service-kit/http";
import { traceRequests } from "@latchkey/service-kit/observe";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { compileTrustedProxies, isProxyPeer } from "./address/trusted-proxies.ts";
import { createJarChooser } from "./cookies/session-cookies.ts";
import type { Deps } from "./deps.ts";
import type { Admitted } from "./pipeline/admit.ts";
import { createPipeline } from "./pipeline/answer-request.ts";
import { sdkVersionOf } from "./pipeline/caller-of.ts";
import { forwardedScheme } from "./origins/base-url.ts";
import { mountEvents } from "./reference/mount-events.ts";
import { mountReference } from "./reference/mount-reference.ts";
import { mountLook } from "./web/mount-look.ts";
import { mountReturn } from "./web/mount-return.ts";
import { mountRoot } from "./web/mount-root.ts";
import { mountWeb } from "./web/mount-web.ts";
import { readableTarget } from "./web/readable-target.ts";
import { accountWeb, webs } from "./web/webs.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set once the request was admitted. */
    admitted: Admitted | undefined;
    /** The requested operation, whether the request is admitted or not. */
    operation: Operation | undefined;
  }
  interface FastifyContextConfig {
    /** The name of a route in the metrics if it is not an operation. */
    metricsName?: string;
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const strictTransport = { "strict-transport-security": "max-age=31536000" };

const securityHeaders = (deps: Deps): Record<string, string> => ({
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // A page of another origin must not load a reply as an image or script.
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  ...(deps.config.baseURL?.startsWith("https://") ? strictTransport : {}),
});

/** Without a configured base URL, a trusted proxy reports for each request whether its client uses https. */
const sendStrictTransport = (app: FastifyInstance, { config }: Deps): void => {
  if (config.baseURL !== undefined) return;
  const isTrustedProxy = compileTrustedProxies(config.trustedProxies);
  if (!isTrustedProxy) return;
  app.addHook("onRequest", (request, reply, done) => {
    const scheme = forwardedScheme(request, isProxyPeer(isTrustedProxy, request.socket));
    if (scheme === "https") reply.headers(strictTransport);
    done();
  });
};

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

/** Returns an error as clients of OAuth read it (RFC 6749 section 5.2). A device learns to poll less often (RFC 8628 section 3.5). */
const oauthError = ({ operation }: FastifyRequest, { status, message }: WireError) => {
  if (operation?.protocol !== "client") return undefined;
  const busy =
    operation.feature === "deviceAuthorization" ? "slow_down" : "temporarily_unavailable";
  const error =
    status === 429 ? busy : status >= 500 ? "temporarily_unavailable" : "invalid_request";
  return { error, error_description: message };
};

/** Creates the public server. Every request passes the pipeline, except those for files of the reference page and the webs. */
export const buildApp = (deps: Deps): FastifyInstance => {
  const app = createServer(deps.logger, {
    newRequestId: randomUUID,
    headers: securityHeaders(deps),
    targetFor: readableTarget(deps.config),
    sdkVersionOf: (request) => sdkVersionOf(deps.config, request),
    errorBodyOf: oauthError,
  });
  app.decorateRequest("admitted", undefined);
  app.decorateRequest("operation", undefined);
  traceApp(app, deps);
  sendStrictTransport(app, deps);
  app.addHook("onResponse", (request, reply, done) => {
    deps.metrics.observeRequest(nameOf(request), reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.register(async (scope) => {
    // The pipeline parses cookies where it needs them, so the plugin needs no hook.
    await scope.register(cookie, { hook: false });
    const chooseJar = createJarChooser(scope, deps);
    const pipeline = createPipeline({ ...deps, chooseJar });
    scope.addHook("onRequest", (request, reply, done) => {
      pipeline.admit(request, reply).then((admitted) => {
        request.admitted = admitted;
        if (admitted) done(); // otherwise it has been answered
      }, done);
    });
    scope.route({
      method: methods,
      url: "*",
      handler: async (request, reply) => {
        if (request.admitted) await pipeline.answer(request.admitted, reply);
      },
    });
  });
  app.register((scope) => mountReference(scope, deps));
  app.register((scope) => mountEvents(scope, deps));
  app.register(async (scope) => mountLook(scope, deps));
  app.register(async (scope) => mountReturn(scope, deps));
  for (const web of webs) app.register((scope) => mountWeb(scope, deps, web));
  // Last, because it serves the root only if nothing else does.
  app.register((scope) => mountRoot(scope, deps, accountWeb));
  return app;
};
