import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import {
  type Context,
  ROOT_CONTEXT,
  trace,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  isSpanContextValid,
  type SpanContext,
} from "@opentelemetry/api";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-node";
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import { withDeadline } from "../bounds/with-deadline.ts";
import type { Span, SpanOptions, Tracing } from "./tracing.ts";
import { version } from "./version.ts";

/** Version, trace, span and flags. Later versions may append more. */
const format = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a W3C `traceparent`, or returns undefined if it is invalid. */
export const readTraceparent = (text: string): SpanContext | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", more] = format.exec(text) ?? [];
  if (version === "00" && more !== undefined) return undefined;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
};

/** Returns the W3C `traceparent` of a span. */
export const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

/** A tracer and the storage of the active context. */
interface Tracks {
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
const openSpan = (
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

export interface CreateTracingOptions {
  /** Service name of the spans. */
  name: string;
  exporter: SpanExporter;
}

/** Short, so that the six services of one process can stop in turn within its ten seconds. */
const stopMilliseconds = 1_000;

/** Returns the resource from the environment variables, with the service's own name. */
const createResource = (name: string) =>
  resourceFromAttributes({ "service.instance.id": randomUUID() })
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: name, [ATTR_SERVICE_VERSION]: version }));

/**
 * Creates tracing with the OpenTelemetry SDK, which reads its own environment variables for destination, sampling and limits.
 * Nothing is registered globally, because several services with different names share a process.
 */
export const createTracing = ({ name, exporter }: CreateTracingOptions): Tracing => {
  const processor = new BatchSpanProcessor(exporter);
  const provider = new NodeTracerProvider({
    resource: createResource(name),
    spanProcessors: [processor],
  });
  const active = new AsyncLocalStorage<Context>();
  const tracks = { tracer: provider.getTracer("latchkey", version), active };

  const child = (title: string, options: SpanOptions): Span | undefined => {
    const parent = active.getStore();
    return parent && openSpan(tracks, title, { ...options, parent });
  };
  const begin: Tracing["begin"] = (title, { traceparent, ...options }) => {
    const remote = traceparent === undefined ? undefined : readTraceparent(traceparent);
    const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
    return openSpan(tracks, title, { ...options, parent });
  };
  const activeContext = () => {
    const context = active.getStore();
    return context && trace.getSpanContext(context);
  };

  return {
    begin,
    child,
    span: async (title, { traceparent, ...options }, work) => {
      const span = traceparent ? begin(title, { ...options, traceparent }) : child(title, options);
      if (!span) return work();
      try {
        const result = await span.within(work);
        span.end();
        return result;
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
    traceparent: () => {
      const context = activeContext();
      return context && writeTraceparent(context);
    },
    traceId: () => activeContext()?.traceId,
    // Spans that the collector does not accept in time are dropped, which must not fail the stop.
    stop: () =>
      withDeadline(provider.shutdown(), stopMilliseconds, "sending spans").catch(() => {}),
  };
};
