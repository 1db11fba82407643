import {
  type ConsumedBy,
  type Event,
  type EventName,
  eventCatalogue,
  type ServiceName,
} from "@latchkey/contracts";
import { type SecretRing, unseal } from "@latchkey/crypto";
import { z } from "zod";
import type { Bus, BusMessage, Consumer } from "../bus/bus.ts";
import { UnretryableError } from "../bus/unretryable-error.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Tracing } from "../observe/tracing.ts";
import { registerHistogram } from "../observe/histogram.ts";

interface ConsumptionOptions {
  service: ServiceName;
  metrics: Metrics;
  tracing?: Tracing | undefined;
}

/** Measures each attempt of a message. */
type ObserveTry = (message: BusMessage, work: () => Promise<void>) => Promise<void>;

/** Limits the labels to known names, because a message may carry any name and each label is kept permanently. */
const labelOf = ({ name }: BusMessage): string =>
  Object.hasOwn(eventCatalogue, name) ? name : "unknown";

const traceparentOf = ({ data }: BusMessage): string | undefined => {
  const { traceparent } = (data ?? {}) as { traceparent?: unknown };
  return typeof traceparent === "string" ? traceparent : undefined;
};

/** Measures the attempts of messages by outcome. Each is a span in the trace of its event. */
const observeConsumption = (options: ConsumptionOptions): ObserveTry => {
  const { service, metrics, tracing } = options;
  const seconds = registerHistogram(metrics, {
    name: "event_seconds",
    help: "Duration of attempts to consume an event by event and outcome",
    labels: ["event", "outcome"],
  });
  const open = (message: BusMessage) =>
    tracing?.begin(`process ${labelOf(message)}`, {
      kind: "consumer",
      traceparent: traceparentOf(message),
      attributes: {
        "messaging.system": "bullmq",
        "messaging.operation.type": "process",
        "messaging.destination.name": service,
        "messaging.message.id": message.id,
      },
    });
  return async (message, work) => {
    const event = labelOf(message);
    const observe = seconds.startTimer({ event });
    const span = open(message);
    try {
      await (span ? span.within(work) : work());
    } catch (error) {
      observe({ outcome: error instanceof UnretryableError ? "given up" : "failed" });
      span?.end(error);
      throw error;
    }
    observe({ outcome: "done" });
    span?.end();
  };
};

/** Handlers for the events that the catalogue assigns to a service. A handler may run more than once per event. */
export type EventHandlers<S extends ServiceName> = {
  [N in ConsumedBy<S>]: (event: Event<N>) => Promise<unknown>;
};

export interface ConsumeEventsOptions<S extends ServiceName> {
  bus: Bus;
  service: S;
  ring: SecretRing;
  handlers: EventHandlers<S>;
  concurrency: number;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  /** Maximum attempts, if fewer than the bus allows. */
  attemptsMax?: number;
}

const envelope = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number(),
  occurredAt: z.string(),
  data: z.string(),
});

/**
 * Consumes a service's events from its queue: decrypts and validates each, and calls its handler. An event that cannot be
 * decrypted or fails its version or schema is given up at once. An unknown event is retried, because a newer replica may know
 * it.
 */
export const consumeEvents = <S extends ServiceName>(
  options: ConsumeEventsOptions<S>,
): Consumer => {
  const { bus, service, ring, concurrency, attemptsMax = Number.POSITIVE_INFINITY } = options;
  // The compiler cannot infer through a look-up that the handler of a name takes the event of that name.
  const handlers = options.handlers as unknown as Partial<
    Record<string, (event: Event) => Promise<unknown>>
  >;
  const observe = observeConsumption(options);
  const handle = (message: BusMessage): Promise<void> => {
    const handler = Object.hasOwn(handlers, message.name) ? handlers[message.name] : undefined;
    return observe(message, async () => {
      if (!handler) throw new Error(`${service} does not consume ${message.name}`);
      await handler(openEvent(ring, message));
    });
  };
  return bus.consume(service, handle, { concurrency, attemptsMax });
};

const openEvent = (ring: SecretRing, message: BusMessage): Event => {
  const parsed = envelope.safeParse(message.data);
  if (!parsed.success)
    throw new UnretryableError("The message is not an event", { cause: parsed.error });
  const { id, version, occurredAt, data } = parsed.data;
  const name = message.name as EventName; // a handler with this name exists
  const declared = eventCatalogue[name];
  if (version !== declared.version)
    throw new UnretryableError(`${name} has the unknown version ${version}`);
  const text = declared.sealed ? unseal(ring, "event", data) : data;
  if (text === undefined) throw new UnretryableError(`${name} was encrypted with another secret`);
  const checked = declared.data.safeParse(parseJson(text));
  if (!checked.success)
    throw new UnretryableError(`${name} fails its schema`, { cause: checked.error });
  return { id, name, version, occurredAt, data: checked.data };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
