import type { FastifyReply, FastifyRequest } from "fastify";
import type { Span, SpanAttributes, Tracing } from "./tracing.ts";

type Done = () => void;

/** Fastify hooks that measure requests. */
export interface RequestHooks {
  onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void;
  preHandler(request: FastifyRequest, reply: FastifyReply, done: Done): void;
  onResponse(request: FastifyRequest, reply: FastifyReply, done: Done): void;
}

/** Describes a request by our own names only, because raw paths and queries may hold a secret. */
export interface TracedRoute {
  /** The route with parameter names instead of values. */
  route?: string | undefined;
  operation?: string | undefined;
  /** Set if it is the request's own id, and not that of the request that caused it. */
  requestId?: string;
}

const firstFailure = 500;

/** Opens a span for each request, as a child of the client's span. All work for the request becomes its children. */
export const traceRequests = (
  tracing: Tracing,
  describe: (request: FastifyRequest) => TracedRoute,
): RequestHooks => {
  const spans = new WeakMap<FastifyRequest, Span>();
  return {
    onRequest: (request, _reply, done) => {
      const { traceparent } = request.headers;
      const span = tracing.begin(request.method, {
        kind: "server",
        traceparent: typeof traceparent === "string" ? traceparent : undefined,
        attributes: { "http.request.method": request.method },
      });
      spans.set(request, span);
      span.within(done);
    },
    // Restores the context, which is lost while the body is read.
    preHandler: (request, _reply, done) => {
      const span = spans.get(request);
      if (span) span.within(done);
      else done();
    },
    onResponse: (request, reply, done) => {
      const span = spans.get(request);
      const { route, operation, requestId } = describe(request);
      const { statusCode: status } = reply;
      if (route !== undefined) span?.rename(`${request.method} ${route}`);
      const attributes: SpanAttributes = {
        "http.response.status_code": status,
        ...(route !== undefined && { "http.route": route }),
        ...(operation !== undefined && { "latchkey.operation": operation }),
        ...(requestId !== undefined && { "latchkey.request_id": requestId }),
      };
      span?.set(attributes);
      span?.end(
        status >= firstFailure ? Object.assign(new Error(), { code: String(status) }) : undefined,
      );
      done();
    },
  };
};
