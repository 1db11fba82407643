import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type Context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-node";
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import { withDeadline } from "../run/with-deadline.ts";
import { openSpan } from "./open-span.ts";
import { readTraceparent, writeTraceparent } from "./traceparent.ts";
import type { Span, SpanOptions, Tracing } from "./tracing.ts";
import { version } from "./version.ts";

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
  const activeContext = () => {
    const context = active.getStore();
    return context && trace.getSpanContext(context);
  };

  return {
    begin: (title, { traceparent, ...options }) => {
      const remote = traceparent === undefined ? undefined : readTraceparent(traceparent);
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      return openSpan(tracks, title, { ...options, parent });
    },
    child,
    span: async (title, options, work) => {
      const span = child(title, options);
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
