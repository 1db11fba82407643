import type { FastifyReply, FastifyRequest } from "fastify";
import type { Span, SpanAttributes, Tracing } from "./tracing.ts";

type Done = () => void;

/** Hooks of a Fastify route or server that measure its requests. */
export interface RequestHooks {
  onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void;
  preHandler(request: FastifyRequest, reply: FastifyReply, done: Done): void;
  onResponse(request: FastifyRequest, reply: FastifyReply, done: Done): void;
}

/** What a request turned out to be, in words of ours alone: paths and queries as they were sent may hold a secret. */
export interface TracedRoute {
  /** With names in place of values. */
  route?: string | undefined;
  operation?: string | undefined;
  /** Where it is the request's own and not that of the one that led to it. */
  requestId?: string;
}

const firstFailure = 500;

/** Each request as a span, below the one that its client names. What is done for it becomes its children. */
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
    // A body that has come in took the request out of what its first hook began.
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
