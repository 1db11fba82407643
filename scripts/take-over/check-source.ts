import type { withTakeOver } from "@latchkey/identity/commands";
import type { PoolClient } from "pg";
import { Refusal } from "../commands/refusal.ts";
import { columnSql, type SourceTables } from "./source-tables.ts";
import type { TakeOverRequest } from "./take-over.ts";

type Identity = Parameters<Parameters<typeof withTakeOver>[1]>[0];

const sampleSize = 100;

/** Some values of the other database that are sealed by its secret, as far as it has any. */
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
  // Hex alone may be what a provider gave.
  return keys.length > 0 ? keys : sample("account", "accessToken", "^\\$ba\\$");
};

/** Refuses another secret, and another database under the name of one that was taken over before; writes nothing. */
export const checkSource = async (
  client: PoolClient,
  {
    identity,
    request,
    tables,
  }: { identity: Identity; request: TakeOverRequest; tables: SourceTables },
): Promise<void> => {
  const verdict = identity.checkSecret(await listSealed(client, tables));
  if (verdict === "differs")
    throw new Refusal(
      "AUTH_SECRET is not the secret of that database: what is sealed there does not open. Give the secret that the other " +
        "application runs with (BETTER_AUTH_SECRET), else no cookie, token or signing key would go on working. Nothing was written.",
    );
  if (verdict === "unknown")
    request.report.remark(
      "Nothing in that database is sealed by its secret, so AUTH_SECRET could not be compared with it.",
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
      `that database has few of the users that were taken over from ${JSON.stringify(request.source)} before, so it seems to be another one. ` +
        "Give it another name with --name. Nothing was written.",
    );
};
