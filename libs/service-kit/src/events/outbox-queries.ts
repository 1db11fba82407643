import { type EventName, eventCatalogue } from "@latchkey/contracts";
import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { compileOnce, type Slots } from "../database/compile-once.ts";
import type { KitTables, OutboxTable } from "../database/kit-tables.ts";

type Db = Kysely<KitTables>;

/** An outbox row whose event is in the catalogue of this version. Other rows are left to a newer replica. */
export type OutboxRow = Omit<Selectable<OutboxTable>, "name"> & { name: EventName };

const knownNames = Object.keys(eventCatalogue);
/** Maximum wait between two checks of a published row, as a multiple of the first wait. */
const waitsMax = 30;

/** Default time until a published row is first checked against the bus. */
export const confirmMilliseconds = 10_000;
/** Time for the writer of an own event to apply its effect. The relay publishes the event afterwards. */
const ownMilliseconds = 3_000;

/**
 * The `publishedAt` of an own event. The relay takes it for a published row whose check is due after `ownMilliseconds`, finds no
 * message on the bus, and publishes it.
 */
export const ownPublishedAt: RawBuilder<Date> = sql<Date>`now() - ${sql.lit(confirmMilliseconds - ownMilliseconds)} * interval '1 millisecond'`;

const knownRows = (db: Db) => db.selectFrom("outbox").where("name", "in", knownNames);

const lockRows = (rows: ReturnType<typeof knownRows>) =>
  rows
    .select(["id", "name", "version", "occurredAt", "data", "publishedAt", "traceparent"])
    .forUpdate()
    .skipLocked();

const unpublishedRows = (db: Db) => knownRows(db).where("publishedAt", "is", null);

const unpublished = compileOnce((trx: Db, { limit }: Slots<{ limit: number }>) =>
  lockRows(unpublishedRows(trx)).orderBy("occurredAt").limit(limit),
);

/** Locks the oldest unpublished rows that no other relay holds. */
export const lockUnpublished = (trx: Db, limit: number): Promise<OutboxRow[]> =>
  unpublished.rows(trx, { limit }) as Promise<OutboxRow[]>; // the query selects known names only

interface Due {
  waitMilliseconds: number;
  limit: number;
}

const unconfirmedRows = (
  db: Db,
  { waitMilliseconds }: Pick<Slots<Due>, "waitMilliseconds">,
): ReturnType<typeof knownRows> => {
  const first = sql`${waitMilliseconds}::float8 * interval '1 millisecond'`;
  const wait = sql`least(greatest((published_at - occurred_at) / 2, ${first}), ${first} * ${waitsMax}::int)`;
  return knownRows(db)
    .where(sql<boolean>`published_at <= now() - ${first}`)
    .where(sql<boolean>`published_at + ${wait} <= now()`);
};

const unconfirmed = compileOnce((trx: Db, due: Slots<Due>) =>
  lockRows(unconfirmedRows(trx, due)).orderBy("publishedAt").limit(due.limit),
);

/**
 * Locks published rows that are due for a check and that no other relay holds. The wait between two checks is half the row's
 * age at the last one, within bounds, so that a few old rows are not checked every time. The database's clock decides, because
 * a relay whose clock was wrong would postpone the check by the error.
 */
export const lockUnconfirmed = (trx: Db, due: Due): Promise<OutboxRow[]> =>
  unconfirmed.rows(trx, due) as Promise<OutboxRow[]>; // the query selects known names only

const dueRows = compileOnce((db: Db, due: Slots<Pick<Due, "waitMilliseconds">>) =>
  db.selectNoFrom((eb) =>
    eb
      .or([
        eb.exists(unpublishedRows(db).select("id")),
        eb.exists(unconfirmedRows(db, due).select("id")),
      ])
      .as("areThere"),
  ),
);

/** Returns whether any row is to be published or checked. Reads without a transaction, so that an idle relay costs one statement. */
export const hasDueRows = async (db: Db, waitMilliseconds: number): Promise<boolean> =>
  (await dueRows.first(db, { waitMilliseconds }))?.areThere === true;

/** Uses one statement text for any number of ids. */
const isOneOf = (ids: RawBuilder<string[]>) => sql<boolean>`id = any(${ids}::text[])`;

const markPublished = compileOnce((trx: Db, { ids }: Slots<{ ids: string[] }>) =>
  trx
    .updateTable("outbox")
    .set({ publishedAt: sql`now()` })
    .where(isOneOf(ids)),
);

/** Records that the rows are published to the bus, or checked. */
export const updatePublishedAt = async (trx: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await markPublished.rows(trx, { ids: [...ids] });
};

const deleteRows = compileOnce((trx: Db, { ids }: Slots<{ ids: string[] }>) =>
  trx.deleteFrom("outbox").where(isOneOf(ids)),
);

export const deleteOutboxRows = async (trx: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await deleteRows.rows(trx, { ids: [...ids] });
};

/** Returns the number of unpublished rows and the time of the oldest one. */
export const findBacklog = (db: Db): Promise<{ waiting: number; oldest: Date | null }> =>
  db
    .selectFrom("outbox")
    .select(({ fn }) => [fn.countAll<number>().as("waiting"), fn.min("occurredAt").as("oldest")])
    .where("publishedAt", "is", null)
    .executeTakeFirstOrThrow();
