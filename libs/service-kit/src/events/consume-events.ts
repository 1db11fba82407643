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
import { observeConsumption } from "./observe-consumption.ts";

/** What a service does at each event that the catalogue has it consume; may run more than once for one event. */
export type EventHandlers<S extends ServiceName> = {
  [N in ConsumedBy<S>]: (event: Event<N>) => Promise<void>;
};

export interface ConsumeEventsOptions<S extends ServiceName> {
  bus: Bus;
  service: S;
  ring: SecretRing;
  handlers: EventHandlers<S>;
  concurrency: number;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  /** Fewer tries than the bus gives a message. */
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
 * Takes a service's events from its queue: opened, checked and handed to their handlers. An event that does not open or
 * fails its version or schema is given up at once; one that is not known here is tried again, as a newer replica may.
 */
export const consumeEvents = <S extends ServiceName>(
  options: ConsumeEventsOptions<S>,
): Consumer => {
  const { bus, service, ring, concurrency, attemptsMax = Number.POSITIVE_INFINITY } = options;
  // The handler of a name takes the event of that name: the compiler cannot follow that through a look-up.
  const handlers = options.handlers as unknown as Partial<
    Record<string, (event: Event) => Promise<void>>
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
    throw new UnretryableError("The message is no event", { cause: parsed.error });
  const { id, version, occurredAt, data } = parsed.data;
  const name = message.name as EventName; // a handler of that name was found
  const declared = eventCatalogue[name];
  if (version !== declared.version)
    throw new UnretryableError(`${name} has the unknown version ${version}`);
  const text = declared.sealed ? unseal(ring, "event", data) : data;
  if (text === undefined) throw new UnretryableError(`${name} was sealed under another secret`);
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
