import type { ServiceName } from "@latchkey/contracts";
import type { Bus, BusMessage } from "../bus/bus.ts";
import { registerCounter } from "../observe/counter.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Span, Tracing } from "../observe/tracing.ts";
import type { OutboxRow } from "./outbox-queries.ts";

/** Hands rows to the queue of one consumer; all of them arrive or it rejects. */
export type PublishRows = (queue: ServiceName, rows: readonly OutboxRow[]) => Promise<void>;

export interface PublisherOptions {
  bus: Bus;
  metrics: Metrics;
  tracing?: Tracing | undefined;
}

const messageOf = (
  { id, name, version, occurredAt, data }: OutboxRow,
  traceparent: string | null,
): BusMessage => ({
  id,
  name,
  data: {
    id,
    name,
    version,
    occurredAt: occurredAt.toISOString(),
    data,
    ...(traceparent !== null && { traceparent }),
  },
});

/** Only what happened in a trace goes on with it: of the rest nobody asks what became of it. */
const openSpan = (tracing: Tracing, queue: ServiceName, row: OutboxRow): Span | undefined =>
  row.traceparent === null
    ? undefined
    : tracing.begin(`send ${row.name}`, {
        kind: "producer",
        traceparent: row.traceparent,
        attributes: {
          "messaging.system": "bullmq",
          "messaging.operation.type": "send",
          "messaging.destination.name": queue,
          "messaging.message.id": row.id,
        },
      });

/** Publishes rows to queues, counted, each of a trace as a span of it that its consumer goes on with. */
export const createPublisher = ({ bus, metrics, tracing }: PublisherOptions): PublishRows => {
  const published = registerCounter(metrics, {
    name: "events_published_total",
    help: "Events handed to the bus by queue, each time that one is",
    labels: ["queue"],
  });
  return async (queue, rows) => {
    const spans = rows.map((row) => tracing && openSpan(tracing, queue, row));
    const messages = rows.map((row, index) =>
      messageOf(row, spans[index]?.traceparent ?? row.traceparent),
    );
    try {
      await bus.publish(queue, messages);
    } catch (error) {
      for (const span of spans) span?.end(error);
      throw error;
    }
    for (const span of spans) span?.end();
    published.inc({ queue }, rows.length);
  };
};
