import {
  type Event,
  type EventData,
  type EventName,
  eventCatalogue,
  type ServiceName,
} from "@latchkey/contracts";
import { seal, type SecretRing } from "@latchkey/crypto";
import type { Insertable, Kysely } from "kysely";
import { compileOnce, pickSlots, type Slots } from "../database/compile-once.ts";
import type { KitTables, OutboxTable } from "../database/kit-tables.ts";
import type { Tracing } from "../observe/tracing.ts";

export interface AppendEventCollaborators {
  ring: SecretRing;
  clock: () => number;
  newEventId: () => string;
  tracing?: Pick<Tracing, "traceparent"> | undefined;
}

/** Rows per statement. Postgres allows 65,535 parameters. */
const rowsMax = 1_000;

/** A row of a new event. The relay has not published it yet. */
export type NewOutboxRow = Required<Omit<Insertable<OutboxTable>, "publishedAt">>;

/** The columns that an insert sets, in a fixed order. */
export const outboxNames = [
  "id",
  "name",
  "version",
  "occurredAt",
  "data",
  "traceparent",
] as const satisfies (keyof NewOutboxRow)[];

/** An event as consumers receive it, with its outbox row. */
interface Prepared<N extends EventName> {
  event: Event<N>;
  row: NewOutboxRow;
}

/**
 * Prepares events of one name. Throws `TypeError` if data fails its schema or the event has no consumer, because both are
 * mistakes of the caller.
 */
const prepareEvents = <N extends EventName>(
  { ring, clock, newEventId, tracing }: AppendEventCollaborators,
  { name, data }: { name: N; data: readonly EventData<N>[] },
): Prepared<N>[] => {
  const { version, sealed, data: schema, consumers } = eventCatalogue[name];
  if ((consumers as readonly ServiceName[]).length === 0)
    throw new TypeError(`The event ${name} has no consumer`);
  const occurredAt = new Date(clock());
  const traceparent = tracing?.traceparent() ?? null;
  return data.map((one) => {
    const parsed = schema.safeParse(one);
    if (!parsed.success)
      throw new TypeError(`Data of ${name} fails its schema`, { cause: parsed.error });
    const identification = { id: newEventId(), name, version };
    const json = JSON.stringify(parsed.data);
    return {
      event: {
        ...identification,
        occurredAt: occurredAt.toISOString(),
        data: parsed.data as EventData<N>, // parsed by the event's schema
      },
      row: {
        ...identification,
        occurredAt,
        data: sealed ? seal(ring, "event", json) : json,
        traceparent,
      },
    };
  });
};

/** Prepares one event, for a statement that writes it together with the change. Throws as `prepareEvents` does. */
export const prepareEvent = <N extends EventName>(
  collaborators: AppendEventCollaborators,
  { name, data }: { name: N; data: EventData<N> },
): Prepared<N> => prepareEvents(collaborators, { name, data: [data] })[0] as Prepared<N>; // one per data item

const insertRow = compileOnce((db: Kysely<KitTables>, slots: Slots<NewOutboxRow>) =>
  db.insertInto("outbox").values(pickSlots(slots, outboxNames)),
);

/**
 * Writes any number of events of one name in the transaction of the change that they report, so that all commit or none.
 * Returns the events as consumers receive them. Wake the relay after the commit. Throws `TypeError` as `prepareEvents` does.
 */
export const appendEvents = async <Tables extends KitTables, N extends EventName>(
  trx: Kysely<Tables>,
  collaborators: AppendEventCollaborators,
  given: { name: N; data: readonly EventData<N>[] },
): Promise<Event<N>[]> => {
  const prepared = prepareEvents(collaborators, given);
  const rows = prepared.map(({ row }) => row);
  const db = trx as unknown as Kysely<KitTables>; // a service's tables extend these
  const [only] = rows;
  if (only && rows.length === 1) await insertRow.rows(db, only);
  else
    for (let from = 0; from < rows.length; from += rowsMax)
      await db
        .insertInto("outbox")
        .values(rows.slice(from, from + rowsMax))
        .execute();
  return prepared.map(({ event }) => event);
};
