import type { ImportTarget } from "@latchkey/service-kit/import";
import { type Kysely, sql } from "kysely";
import { schema, type Tables } from "../db/tables.ts";
import { importedColumns } from "./read-api-key.ts";

export const importedApiKeys: ImportTarget = {
  schema,
  table: "api_key",
  columns: importedColumns.apikey,
  guard: sql<boolean>`not exists (select from ${sql.id(schema, "owner")} as one
    where one.user_id = given.user_id and (one.departed_at is not null or one.claimed_at is not null))
    and not exists (select from ${sql.id(schema, "departed_organization")} as one
    where one.organization_id = given.organization_id)`,
};

/** Returns the keys with some stored forms. */
export const listKeyClaims = (
  db: Kysely<Tables>,
  keys: readonly string[],
): Promise<{ id: string; key: string }[]> =>
  db
    .selectFrom("apiKey")
    .select(["id", "key"])
    .where(sql<boolean>`key = any(${[...keys]}::text[])`)
    .execute();
