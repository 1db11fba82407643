import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely";
import type pg from "pg";
import type { Tracing } from "../observe/tracing.ts";
import { createStatementTracer } from "../observe/create-statement-tracer.ts";

/** Maximum number of named statements per process. Further ones run unnamed, to limit the server's memory. */
const namedMax = 500;

const isNameable = (text: string) => /^\s*(select|insert|update|delete|with)\b/i.test(text);

/** Assigns each statement text a unique name, or undefined if it runs unnamed. */
const createNames = () => {
  const names = new Map<string, string>();
  return (text: string): string | undefined => {
    if (!names.has(text) && names.size < namedMax && isNameable(text))
      names.set(text, `latchkey_${names.size}`);
    return names.get(text);
  };
};

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === "Query read timeout";

interface StatementPoolOptions {
  named: boolean;
  /** The schema that the statements use. */
  schema: string;
  tracing?: Tracing | undefined;
}

/**
 * Adapts a pool for Kysely. With `named`, each statement is named by its text, so that Postgres parses and plans it once per
 * connection. Such statements must list their columns, because `*` breaks a prepared plan when a migration adds a column. A
 * statement that begins with a comment has no name and is planned for its values each time. A connection with a timed-out query
 * is discarded: its reply may still arrive, and other queries would wait behind it.
 */
const createStatementPool = (
  pool: pg.Pool,
  { named, schema, tracing }: StatementPoolOptions,
): PostgresPool => {
  const nameOf = named ? createNames() : () => undefined;
  const trace = tracing && createStatementTracer(tracing, schema);
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    let isBroken = false;
    const run = (text: string, values: unknown[]) => {
      const name = nameOf(text);
      return name === undefined ? client.query(text, values) : client.query({ name, text, values });
    };
    const query = async (text: string, values: unknown[]) => {
      try {
        return await run(text, values);
      } catch (error) {
        isBroken ||= isTimeout(error);
        throw error;
      }
    };
    const traced = trace ? trace(query) : query;
    const release = (error?: boolean) => client.release(error === true || isBroken);
    // Kysely uses only this form of `query` and `release`, because no cursors are used here.
    return { query: traced, release } as unknown as PostgresPoolClient;
  };

  const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const wrapper = wrappers.get(client) ?? wrap(client);
      wrappers.set(client, wrapper);
      return wrapper;
    },
    end: () => pool.end(),
  };
};

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
