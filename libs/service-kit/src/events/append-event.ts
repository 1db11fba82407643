import type { EventData, EventName } from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import { type AppendEventCollaborators, appendEvents } from "./append-events.ts";

/**
 * Writes an event in the transaction of the change that it tells of: both happen or neither. Wake the relay after the
 * commit. `TypeError` when the data fails its schema or nobody consumes the event, as both are mistakes of the caller.
 */
export const appendEvent = <Tables extends KitTables, N extends EventName>(
  trx: Kysely<Tables>,
  collaborators: AppendEventCollaborators,
  { name, data }: { name: N; data: EventData<N> },
): Promise<void> => appendEvents(trx, collaborators, { name, data: [data] });
