import type { PersonExport } from "@latchkey/contracts";
import { namesOf, type RowOf, withoutColumns } from "@latchkey/service-kit/database";
import { sql } from "kysely";
import { apiKeyColumns, schema } from "../db/tables.ts";

const exportedColumns = withoutColumns(
  apiKeyColumns,
  "key",
  "userId",
  "organizationId",
  "createdBy",
  "lifetimeFrom",
  "lifetimeLocked",
);

/** Selects a user's keys without their lookup values, oldest first. */
export const selectKeys = (userId: string) => sql<RowOf<typeof exportedColumns>>`
  select ${sql.join(namesOf(exportedColumns).map((name) => sql.ref(name)))}
  from ${sql.id(schema, "api_key")} where user_id = ${userId} order by created_at, id`;

/** Selects the daily usage of a user's keys, oldest first. */
export const selectUsage = (userId: string) => sql<PersonExport["apiKeyUsage"][number]>`
  select key_id, to_char(day, 'YYYY-MM-DD') as day, valid, rate_limited, exhausted, expired, disabled, forbidden
  from ${sql.id(schema, "key_usage")} where user_id = ${userId} order by day, key_id`;

/** Selects the keys of organizations that a user created, oldest first. The rest of such a key belongs to its organization. */
export const selectCreatedKeys = (userId: string) => sql<
  RowOf<Pick<typeof apiKeyColumns, "id" | "createdAt">> & { organizationId: string }
>`
  select id, organization_id, created_at
  from ${sql.id(schema, "api_key")} where created_by = ${userId} order by created_at, id`;
