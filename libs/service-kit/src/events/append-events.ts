import {
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

/** As many rows as one statement writes: of parameters it takes 65,535. */
const rowsMax = 1_000;

/**
 * Writes events of one name, however many, in the transaction of the change that they tell of: all happen or nothing. Wake
 * the relay after the commit. `TypeError` when data fails its schema or nobody consumes the event, as both are mistakes of
 * the caller.
 */
export const appendEvents = async <Tables extends KitTables, N extends EventName>(
  trx: Kysely<Tables>,
  { ring, clock, newEventId, tracing }: AppendEventCollaborators,
  { name, data }: { name: N; data: readonly EventData<N>[] },
): Promise<void> => {
  const { version, sealed, data: schema, consumers } = eventCatalogue[name];
  if ((consumers as readonly ServiceName[]).length === 0)
    throw new TypeError(`Nobody consumes ${name}`);
  const occurredAt = new Date(clock());
  const traceparent = tracing?.traceparent() ?? null;
  const rows = data.map((one) => {
    const parsed = schema.safeParse(one);
    if (!parsed.success)
      throw new TypeError(`Data of ${name} fails its schema`, { cause: parsed.error });
    const json = JSON.stringify(parsed.data);
    const text = sealed ? seal(ring, "event", json) : json;
    return { id: newEventId(), name, version, occurredAt, data: text, traceparent };
  });
  const db = trx as unknown as Kysely<KitTables>; // a service's tables extend these
  for (let from = 0; from < rows.length; from += rowsMax)
    await db
      .insertInto("outbox")
      .values(rows.slice(from, from + rowsMax))
      .execute();
};
