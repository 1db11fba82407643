import type { withImport } from "@latchkey/identity/commands";
import type { PoolClient } from "pg";
import { Refusal } from "../terminal/refusal.ts";
import { columnSql, type SourceTables } from "./source-tables.ts";
import type { ImportReport } from "./import-report.ts";

type Identity = Parameters<Parameters<typeof withImport>[1]>[0];

const sampleSize = 100;

/** Returns some values of the other database that its secret seals, if there are any. */
const listSealed = async (client: PoolClient, tables: SourceTables): Promise<string[]> => {
  const sample = async (model: string, field: string, filter: string): Promise<string[]> => {
    const table = tables.of(model);
    const column = table?.columnOf(field);
    if (!table || column === undefined) return [];
    const { rows } = await client.query<{ value: string }>(
      `select ${columnSql(column)} as value from ${table.sql} t
      where ${columnSql(column)} ~ $1 limit ${sampleSize}`,
      [filter],
    );
    return rows.map(({ value }) => value);
  };
  const keys = await sample("jwks", "privateKey", '^"');
  if (keys.length > 0) return keys;
  // A token of hexadecimal digits alone may come from the provider unsealed.
  const tokens = await sample("account", "accessToken", "^\\$ba\\$");
  return tokens.length > 0 ? tokens : sample("twoFactor", "secret", "^");
};

/** Refuses a wrong secret, and another database under the name of an earlier import. Writes nothing. */
export const checkSource = async (
  client: PoolClient,
  {
    identity,
    request,
    tables,
  }: {
    identity: Identity;
    request: { source: string; report: ImportReport };
    tables: SourceTables;
  },
): Promise<void> => {
  const verdict = identity.checkSecret(await listSealed(client, tables));
  if (verdict === "differs")
    throw new Refusal(
      "AUTH_SECRET is not the secret of that database: its sealed data cannot be opened. Set the secret that the other " +
        "application runs with (BETTER_AUTH_SECRET), otherwise no cookie, token or signing key would keep working. Nothing was written.",
    );
  if (verdict === "unknown")
    request.report.remark(
      "That database contains no sealed data, so AUTH_SECRET could not be verified.",
    );
  const before = await identity.sampleUsers(request.source, sampleSize);
  const user = tables.of("user");
  if (before.length === 0 || !user) return;
  const id = columnSql(user.columnOf("id") ?? "id");
  const { rows } = await client.query<{ count: string }>(
    `select count(*) as count from ${user.sql} t where ${id}::text = any($1::text[])`,
    [before],
  );
  if (Number(rows[0]?.count) * 2 < before.length)
    throw new Refusal(
      `that database has few of the users that were imported from ${JSON.stringify(request.source)} before, so it seems to be another one. ` +
        "Give it another name with --name. Nothing was written.",
    );
};
