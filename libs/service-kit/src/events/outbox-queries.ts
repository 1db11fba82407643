import { type EventName, eventCatalogue } from "@latchkey/contracts";
import { type Kysely, type Selectable, sql } from "kysely";
import type { KitTables, OutboxTable } from "../database/kit-tables.ts";

type Db = Kysely<KitTables>;

/** An outbox row whose event is in the catalogue of this version. Other rows are left to a newer replica. */
export type OutboxRow = Omit<Selectable<OutboxTable>, "name"> & { name: EventName };

const knownNames = Object.keys(eventCatalogue);
/** Maximum wait between two checks of a published row, as a multiple of the first wait. */
const waitsMax = 30;

const selectRows = (trx: Db) =>
  trx
    .selectFrom("outbox")
    .select(["id", "name", "version", "occurredAt", "data", "publishedAt", "traceparent"])
    .where("name", "in", knownNames)
    .forUpdate()
    .skipLocked();

/** Locks the oldest unpublished rows that no other relay holds. */
export const lockUnpublished = (trx: Db, limit: number): Promise<OutboxRow[]> =>
  selectRows(trx)
    .where("publishedAt", "is", null)
    .orderBy("occurredAt")
    .limit(limit)
    .execute() as Promise<OutboxRow[]>; // the query selects known names only

/**
 * Locks published rows that are due for a check and that no other relay holds. The wait between two checks is half the row's
 * age at the last one, within bounds, so that a few old rows are not checked every time. The database's clock decides, because
 * a relay whose clock was wrong would postpone the check by the error.
 */
export const lockUnconfirmed = (
  trx: Db,
  due: { waitMilliseconds: number; limit: number },
): Promise<OutboxRow[]> => {
  const first = sql`${due.waitMilliseconds}::float8 * interval '1 millisecond'`;
  const wait = sql`least(greatest((published_at - occurred_at) / 2, ${first}), ${first} * ${waitsMax}::int)`;
  return selectRows(trx)
    .where(sql<boolean>`published_at <= now() - ${first}`)
    .where(sql<boolean>`published_at + ${wait} <= now()`)
    .orderBy("publishedAt")
    .limit(due.limit)
    .execute() as Promise<OutboxRow[]>; // the query selects known names only
};

/** Records that the rows are published to the bus, or checked. */
export const updatePublishedAt = async (trx: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await trx
    .updateTable("outbox")
    .set({ publishedAt: sql`now()` })
    .where(isOneOf(ids))
    .execute();
};

export const deleteOutboxRows = async (trx: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await trx.deleteFrom("outbox").where(isOneOf(ids)).execute();
};

/** Returns the number of unpublished rows and the time of the oldest one. */
export const findBacklog = (db: Db): Promise<{ waiting: number; oldest: Date | null }> =>
  db
    .selectFrom("outbox")
    .select(({ fn }) => [fn.countAll<number>().as("waiting"), fn.min("occurredAt").as("oldest")])
    .where("publishedAt", "is", null)
    .executeTakeFirstOrThrow();

/** Uses one statement text for any number of ids. */
const isOneOf = (ids: readonly string[]) => sql<boolean>`id = any(${[...ids]}::text[])`;
