import {
  createDatabase,
  createPostgresPool,
  type SchemaMigration,
  type SchemaMigrations,
} from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import type { Pool } from "pg";
import { readShape } from "../read-shape.ts";
import { fillTables } from "./fill-tables.ts";
import { findHazards } from "./find-hazards.ts";
import { listRewritten, listSeen, rememberTables, startWatching } from "./watch-transaction.ts";

export interface Inspected {
  /** The address of an empty database for a superuser. */
  url: string;
  schema: string;
  migrations: SchemaMigrations;
}

const openPool = (url: string): Pool =>
  createPostgresPool({
    url,
    max: 1,
    logger: createLogger({ service: "lint", level: "silent" }),
    applicationName: "lint",
  });

/** Runs a migration on a separate connection, because Postgres's transaction statistics include earlier work of the same connection. */
const runWatched = async (
  { url, schema }: Inspected,
  { up, isOutsideTransaction }: SchemaMigration,
): Promise<void> => {
  const db = createDatabase<any>({ pool: openPool(url), schema, preparedStatements: false });
  try {
    if (isOutsideTransaction) await up(db);
    else
      await db.transaction().execute(async (trx) => {
        await up(trx);
        await trx.selectNoFrom(trx.fn("lint.look").as("seen")).execute();
      });
  } finally {
    await db.destroy();
  }
};

/** Returns the hazards of each migration by its name. Runs each one on rows, and queries Postgres for its effects. */
export const inspectMigrations = async (
  inspected: Inspected,
): Promise<Record<string, string[]>> => {
  const { url, schema, migrations } = inspected;
  const pool = openPool(url);
  const hazards: Record<string, string[]> = {};
  try {
    await pool.query(`create schema ${schema}`);
    await startWatching(pool);
    let before = await readShape(pool, [schema]);
    for (const [name, migration] of Object.entries(migrations)) {
      await fillTables(pool, schema);
      await rememberTables(pool, schema);
      await runWatched(inspected, migration);
      const after = await readShape(pool, [schema]);
      const [seen, rewritten] = [await listSeen(pool), await listRewritten(pool)];
      hazards[name] = findHazards({ before, after, seen, rewritten });
      before = after;
    }
    return hazards;
  } finally {
    await pool.end();
  }
};
