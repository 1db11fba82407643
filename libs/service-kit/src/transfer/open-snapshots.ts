import type { ControlledTransaction, Kysely } from "kysely";
import { type CarriedSchema, openCarried } from "./carried-schema.ts";
import { joinSnapshot, setForms, shareSnapshot } from "./queries.ts";

/** A snapshot of a schema. */
export interface SchemaSnapshot {
  schema: CarriedSchema;
  trx: ControlledTransaction<any>;
}

const begin = (db: Kysely<any>): Promise<ControlledTransaction<any>> =>
  db.startTransaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute();

/** Uses the first transaction's snapshot if both are in one database, otherwise a new one. */
const beginWith = async (
  db: Kysely<any>,
  shared: string | undefined,
): Promise<ControlledTransaction<any>> => {
  const trx = await begin(db);
  if (shared === undefined) return trx;
  try {
    await joinSnapshot(trx, shared);
    return trx;
  } catch {
    await trx.rollback().execute();
    return begin(db);
  }
};

/**
 * Runs `work` with snapshots of schemas. All schemas in one database share a snapshot. Those of other databases are taken as
 * close in time as possible.
 */
export const withSnapshots = async <T>(
  schemas: readonly CarriedSchema[],
  work: (snapshots: readonly SchemaSnapshot[]) => Promise<T>,
): Promise<T> => {
  const opened: { db: Kysely<any>; trx?: ControlledTransaction<any> }[] = [];
  let shared: string | undefined;
  try {
    const snapshots: SchemaSnapshot[] = [];
    for (const schema of schemas) {
      const db = openCarried(schema);
      const one: (typeof opened)[number] = { db };
      opened.push(one);
      const trx = await beginWith(db, shared);
      one.trx = trx;
      shared ??= await shareSnapshot(trx);
      await setForms(trx);
      snapshots.push({ schema, trx });
    }
    return await work(snapshots);
  } finally {
    for (const { db, trx } of opened) {
      await trx
        ?.rollback()
        .execute()
        .catch(() => {}); // the rows are already read
      await db.destroy();
    }
  }
};
