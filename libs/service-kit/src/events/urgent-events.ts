import {
  type Caller,
  type Event,
  type EventName,
  eventBody,
  eventCatalogue,
  type ServiceName,
  urgentEventsHeader,
  WireError,
} from "@latchkey/contracts";
import { z } from "zod";
import type { Unbound } from "./bind-all.ts";
import type { EventHandlers } from "./consume-events.ts";

/** Events of a request that their consumers must apply before the client gets its response. */
export interface UrgentEvents {
  /** Call after the commit, because an event of a rolled-back transaction must not be applied. */
  note(caller: Caller, event: Event): void;
  /** Returns the header that passes them to the gateway, or undefined if there are none. */
  headersFor(caller: Caller): Record<string, string> | undefined;
}

export const createUrgentEvents = (): UrgentEvents => {
  const noted = new WeakMap<Caller, Event[]>();
  return {
    note: (caller, event) => {
      noted.set(caller, [...(noted.get(caller) ?? []), event]);
    },
    headersFor: (caller) => {
      const events = noted.get(caller);
      if (!events) return undefined;
      return { [urgentEventsHeader]: Buffer.from(JSON.stringify(events)).toString("base64url") };
    },
  };
};

/** Checks only the name, because the consumer validates the data. */
const isKnown = (event: z.output<typeof eventBody>): event is z.output<typeof eventBody> & Event =>
  Object.hasOwn(eventCatalogue, event.name);

/** Parses the events of a header. Skips events that only a newer version knows, because the bus delivers them too. */
export const readUrgentEvents = (header: string | string[] | undefined): Event[] => {
  if (typeof header !== "string") return [];
  const json: unknown = JSON.parse(Buffer.from(header, "base64url").toString());
  return z.array(eventBody).parse(json).filter(isKnown);
};

/** Only the gateway may send events to apply. No service token can have its name. */
const mayApply: ServiceName = "gateway";

/**
 * Creates the handler of the operation that applies an event like a delivery by the bus. It throws `FORBIDDEN` unless the gateway
 * calls, and `VALIDATION_ERROR` for an event that the service does not consume in this form.
 */
export const createEventApplier = <S extends ServiceName, Deps>(
  consumers: Unbound<EventHandlers<S>, Deps>,
) => {
  // The compiler cannot infer through a look-up that the consumer of a name takes the event of that name.
  const consumerByName = consumers as unknown as Partial<
    Record<string, (deps: Deps, event: Event) => Promise<unknown>>
  >;
  return async (
    deps: Deps,
    { caller, body }: { caller: Caller; body: z.output<typeof eventBody> },
  ): Promise<{ reply: { applied: true } }> => {
    if (caller.service !== mayApply) throw new WireError("FORBIDDEN");
    const consumer = Object.hasOwn(consumerByName, body.name)
      ? consumerByName[body.name]
      : undefined;
    const declared = eventCatalogue[body.name as EventName];
    const data = consumer && declared.data.safeParse(body.data);
    if (!consumer || !data?.success || body.version !== declared.version)
      throw new WireError("VALIDATION_ERROR");
    await consumer(deps, { ...body, name: body.name as EventName, data: data.data });
    return { reply: { applied: true } };
  };
};
