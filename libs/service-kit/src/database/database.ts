import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { createStatementPool } from "./statement-pool.ts";

export interface DatabaseOptions {
  pool: pg.Pool;
  schema: string;
  preparedStatements: boolean;
}

/**
 * Kysely over a pool, bound to one service's schema: tables are qualified, so no connection state is needed and a
 * transaction pooler may stand between. Destroying it ends the pool.
 */
export const createDatabase = <Tables>(options: DatabaseOptions): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: createStatementPool(options.pool, { named: options.preparedStatements }),
    }),
    // Names inside JSON are the application's own.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  }).withSchema(options.schema);
