import {
  type Event,
  type EventData,
  type EventName,
  eventCatalogue,
  type ServiceName,
} from "@latchkey/contracts";
import { seal, type SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import type { Tracing } from "../observe/tracing.ts";

export interface AppendEventCollaborators {
  ring: SecretRing;
  clock: () => number;
  newEventId: () => string;
  tracing?: Pick<Tracing, "traceparent"> | undefined;
}

/** Rows per statement. Postgres allows 65,535 parameters. */
const rowsMax = 1_000;

/**
 * Writes any number of events of one name in the transaction of the change that they report, so that all commit or none.
 * Returns the events as consumers receive them. Wake the relay after the commit. Throws `TypeError` if data fails its schema or
 * the event has no consumer, because both are mistakes of the caller.
 */
export const appendEvents = async <Tables extends KitTables, N extends EventName>(
  trx: Kysely<Tables>,
  { ring, clock, newEventId, tracing }: AppendEventCollaborators,
  { name, data }: { name: N; data: readonly EventData<N>[] },
): Promise<Event<N>[]> => {
  const { version, sealed, data: schema, consumers } = eventCatalogue[name];
  if ((consumers as readonly ServiceName[]).length === 0)
    throw new TypeError(`The event ${name} has no consumer`);
  const occurredAt = new Date(clock());
  const traceparent = tracing?.traceparent() ?? null;
  const events = data.map((one): Event<N> => {
    const parsed = schema.safeParse(one);
    if (!parsed.success)
      throw new TypeError(`Data of ${name} fails its schema`, { cause: parsed.error });
    return {
      id: newEventId(),
      name,
      version,
      occurredAt: occurredAt.toISOString(),
      data: parsed.data as EventData<N>, // parsed by the event's schema
    };
  });
  const rows = events.map((event) => {
    const json = JSON.stringify(event.data);
    return { ...event, occurredAt, data: sealed ? seal(ring, "event", json) : json, traceparent };
  });
  const db = trx as unknown as Kysely<KitTables>; // a service's tables extend these
  for (let from = 0; from < rows.length; from += rowsMax)
    await db
      .insertInto("outbox")
      .values(rows.slice(from, from + rowsMax))
      .execute();
  return events;
};
