import type { AsyncLocalStorage } from "node:async_hooks";
import { type Context, SpanKind, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import { writeTraceparent } from "./traceparent.ts";
import type { Span, SpanOptions } from "./tracing.ts";

/** A tracer and the storage of the active context. */
export interface Tracks {
  tracer: Tracer;
  active: AsyncLocalStorage<Context>;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

const kindOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : error.name;
};

/** Starts a span of the SDK as a child of a context. */
export const openSpan = (
  { tracer, active }: Tracks,
  name: string,
  { parent, kind = "internal", attributes = {} }: SpanOptions & { parent: Context },
): Span => {
  const options = { kind: kinds[kind], attributes: { ...attributes } };
  const span = tracer.startSpan(name, options, parent);
  const context = trace.setSpan(parent, span);
  return {
    get traceparent() {
      return writeTraceparent(span.spanContext());
    },
    within: (work) => active.run(context, work),
    rename: (title) => void span.updateName(title),
    set: (more) => void span.setAttributes({ ...more }),
    end: (error) => {
      if (error !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", kindOf(error));
      }
      span.end();
    },
  };
};
