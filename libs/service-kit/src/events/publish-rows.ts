import type { ServiceName } from "@latchkey/contracts";
import type { Bus, BusMessage } from "../bus/bus.ts";
import { registerCounter } from "../observe/counter.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Span, Tracing } from "../observe/tracing.ts";
import type { OutboxRow } from "./outbox-queries.ts";

/** Publishes rows to the queue of one consumer. Rejects unless all of them arrive. */
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

/** Opens a span only for rows that belong to a trace. */
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

/** Publishes rows to queues and counts them. A row of a trace gets a span that its consumer continues. */
export const createPublisher = ({ bus, metrics, tracing }: PublisherOptions): PublishRows => {
  const published = registerCounter(metrics, {
    name: "events_published_total",
    help: "Events published to the bus by queue, including repeated publications",
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
