import { type EventName, eventCatalogue } from "@latchkey/contracts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { KitTables, OutboxTable } from "../database/kit-tables.ts";

type Db = Kysely<KitTables>;

/** An outbox row of an event that this version of the service knows; others are left to a newer replica. */
export type OutboxRow = Omit<Selectable<OutboxTable>, "name"> & { name: EventName };

const knownNames = Object.keys(eventCatalogue);
/** The longest wait between two looks at a published row, in first waits. */
const waitsMax = 30;

const selectRows = (trx: Db) =>
  trx
    .selectFrom("outbox")
    .select(["id", "name", "version", "occurredAt", "data", "publishedAt", "traceparent"])
    .where("name", "in", knownNames)
    .forUpdate()
    .skipLocked();

/** Locks the oldest rows that are not published yet and that no other relay holds. */
export const lockUnpublished = (trx: Db, limit: number): Promise<OutboxRow[]> =>
  selectRows(trx)
    .where("publishedAt", "is", null)
    .orderBy("occurredAt")
    .limit(limit)
    .execute() as Promise<OutboxRow[]>; // the names are those asked for

/**
 * Locks published rows that are due for a look and that no other relay holds. The wait between two looks is half the
 * row's age at the last one, within bounds, so that a few old rows do not cost a look every time.
 */
export const lockUnconfirmed = (
  trx: Db,
  due: { now: Date; waitMilliseconds: number; limit: number },
): Promise<OutboxRow[]> => {
  const first = sql`${due.waitMilliseconds}::float8 * interval '1 millisecond'`;
  const wait = sql`least(greatest((published_at - occurred_at) / 2, ${first}), ${first} * ${waitsMax}::int)`;
  return selectRows(trx)
    .where("publishedAt", "<=", new Date(due.now.getTime() - due.waitMilliseconds))
    .where(sql<boolean>`published_at + ${wait} <= ${due.now}::timestamptz`)
    .orderBy("publishedAt")
    .limit(due.limit)
    .execute() as Promise<OutboxRow[]>; // the names are those asked for
};

/** Notes that the rows are with the bus now. */
export const updatePublishedAt = async (
  trx: Db,
  ids: readonly string[],
  now: Date,
): Promise<void> => {
  if (ids.length === 0) return;
  await trx.updateTable("outbox").set({ publishedAt: now }).where(isOneOf(ids)).execute();
};

export const deleteOutboxRows = async (trx: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await trx.deleteFrom("outbox").where(isOneOf(ids)).execute();
};

/** How many rows are not published yet, and since when the oldest waits. */
export const findBacklog = (db: Db): Promise<{ waiting: number; oldest: Date | null }> =>
  db
    .selectFrom("outbox")
    .select(({ fn }) => [fn.countAll<number>().as("waiting"), fn.min("occurredAt").as("oldest")])
    .where("publishedAt", "is", null)
    .executeTakeFirstOrThrow();

/** One statement text for every number of ids. */
const isOneOf = (ids: readonly string[]) => sql<boolean>`id = any(${[...ids]}::text[])`;
