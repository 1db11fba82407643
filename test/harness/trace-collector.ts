import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { until } from "@latchkey/testkit";

/** A span as a collector receives it. */
export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Readonly<Record<string, unknown>>;
  status: { code?: number; message?: string };
}

/** Receives spans over HTTP as JSON. */
export interface TraceCollector {
  /** Environment of a process that exports here without delay. */
  environment: Record<string, string>;
  spans: CollectedSpan[];
  /** Path and body of each request, unchanged. */
  received: string[];
  /** Returns the trace with each of the named spans once all their parents have arrived: a parent ends after its children. */
  waitForTrace(
    isPart: (span: CollectedSpan) => boolean,
    names: readonly string[],
  ): Promise<CollectedSpan[]>;
  stop(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<CollectedSpan, "attributes"> & { attributes: Attribute[] })[] }[];
  }[];
}

const recordOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const read = (body: string): CollectedSpan[] =>
  (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(recordOf(resource.attributes)["service.name"]);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, service, attributes: recordOf(span.attributes) })),
    );
  });

const sendMilliseconds = 50;
const waitMilliseconds = 90_000;

export const startTraceCollector = async (): Promise<TraceCollector> => {
  const spans: CollectedSpan[] = [];
  const received: string[] = [];
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        received.push(`${request.url} ${body}`);
        spans.push(...read(body));
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: String(sendMilliseconds),
    },
    spans,
    received,
    waitForTrace: async (isPart, names) => {
      const findTrace = () => {
        const part = spans.find(isPart);
        const trace = spans.filter(({ traceId }) => traceId === part?.traceId);
        const ids = new Set(trace.map(({ spanId }) => spanId));
        const hasParent = ({ parentSpanId }: CollectedSpan) =>
          !parentSpanId || ids.has(parentSpanId);
        const hasNames = names.every((name) => trace.some((span) => span.name === name));
        return part && hasNames && trace.every(hasParent) ? trace : undefined;
      };
      return until(findTrace, {
        timeoutMs: waitMilliseconds,
        describe: `a trace with ${names.join(", ")}`,
      });
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
