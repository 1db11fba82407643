import type { Event, EventData, EventName } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { type AppendEventCollaborators, appendEvents } from "./append-events.ts";

/**
 * Writes an event in the transaction of the change that it reports, so that both commit or neither. Returns the event as
 * consumers receive it. Wake the relay after the commit. Throws `TypeError` if the data fails its schema or the event has no
 * consumer, because both are mistakes of the caller.
 */
export const appendEvent = async <Tables extends KitTables, N extends EventName>(
  trx: Kysely<Tables>,
  collaborators: AppendEventCollaborators,
  { name, data }: { name: N; data: EventData<N> },
): Promise<Event<N>> => {
  const [event] = await appendEvents(trx, collaborators, { name, data: [data] });
  return event as Event<N>; // one event per data item
};
