import {
  type EventData,
  type EventName,
  eventCatalogue,
  type ServiceName,
} from "@latchkey/contracts";
import { seal, type SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";

export interface AppendEventCollaborators {
  ring: SecretRing;
  clock: () => number;
  newEventId: () => string;
}

/**
 * Writes an event in the transaction of the change that it tells of: both happen or neither. Wake the relay after the
 * commit. `TypeError` when the data fails its schema or nobody consumes the event, as both are mistakes of the caller.
 */
export const appendEvent = async <Tables extends KitTables, N extends EventName>(
  trx: Kysely<Tables>,
  { ring, clock, newEventId }: AppendEventCollaborators,
  { name, data }: { name: N; data: EventData<N> },
): Promise<void> => {
  const { version, sealed, data: schema, consumers } = eventCatalogue[name];
  if ((consumers as readonly ServiceName[]).length === 0)
    throw new TypeError(`Nobody consumes ${name}`);
  const parsed = schema.safeParse(data);
  if (!parsed.success)
    throw new TypeError(`Data of ${name} fails its schema`, { cause: parsed.error });
  const json = JSON.stringify(parsed.data);
  await (trx as unknown as Kysely<KitTables>)
    .insertInto("outbox")
    .values({
      id: newEventId(),
      name,
      version,
      occurredAt: new Date(clock()),
      data: sealed ? seal(ring, "event", json) : json,
    })
    .execute();
};
