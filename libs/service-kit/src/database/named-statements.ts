import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";

/** Texts that get a name in one process; further ones run unnamed, so that a server's memory stays bounded. */
const namedMax = 500;

const isNameable = (text: string) => /^\s*(select|insert|update|delete|with)\b/i.test(text);

/**
 * The same pool, for Kysely, with every statement named by its text: Postgres parses and plans a text once for each
 * connection. Statements must name their columns: `*` breaks a prepared plan when a migration adds a column.
 */
export const withNamedStatements = (pool: pg.Pool): PostgresPool => {
  const names = new Map<string, string | undefined>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < namedMax)
      names.set(text, isNameable(text) ? `latchkey_${names.size}` : undefined);
    return names.get(text);
  };

  const wrappers = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    const query = (text: unknown, values?: readonly unknown[]) => {
      if (typeof text !== "string") return client.query(text as never);
      const name = nameOf(text);
      return name === undefined
        ? client.query(text, values as unknown[])
        : client.query({ name, text, values: values as unknown[] });
    };
    // Kysely calls `query` and `release` only; the cursor form of `query` passes through.
    return {
      query,
      release: (error?: boolean) => client.release(error),
    } as unknown as PostgresPoolClient;
  };

  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const known = wrappers.get(client);
      if (known) return known;
      const wrapper = wrap(client);
      wrappers.set(client, wrapper);
      return wrapper;
    },
    end: () => pool.end(),
  };
};
