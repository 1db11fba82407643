import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Tracing } from "../observe/tracing.ts";
import { createStatementPool } from "./statement-pool.ts";

export interface DatabaseOptions {
  pool: pg.Pool;
  schema: string;
  preparedStatements: boolean;
  tracing?: Tracing | undefined;
}

/**
 * Creates a Kysely instance over a pool, bound to one service's schema. Tables are qualified, so no connection state is needed
 * and a transaction pooler works. Destroying it ends the pool.
 */
export const createDatabase = <Tables>({
  pool,
  schema,
  preparedStatements: named,
  tracing,
}: DatabaseOptions): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: createStatementPool(pool, { named, schema, tracing }) }),
    // Keys inside JSON belong to the application and stay unchanged.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  }).withSchema(schema);
