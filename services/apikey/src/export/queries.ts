import type { PersonExport } from "@latchkey/contracts";
import { sql } from "kysely";
import { schema } from "../db/schema.ts";

type Dated<T> = { [Name in keyof T]: T[Name] | Date };

/** Selects a user's keys without their lookup values, oldest first. */
export const selectKeys = (userId: string) => sql<Dated<PersonExport["apiKeys"][number]>>`
  select id, name, start, prefix, enabled, disabled_by_admin, remaining, refill_amount, refill_interval,
    last_refill_at, rate_limit_enabled, rate_limit_max, rate_limit_time_window, request_count,
    last_request, permissions, metadata, expires_at, created_at, updated_at
  from ${sql.id(schema, "api_key")} where user_id = ${userId} order by created_at, id`;

/** Selects the daily usage of a user's keys, oldest first. */
export const selectUsage = (userId: string) => sql<PersonExport["apiKeyUsage"][number]>`
  select key_id, to_char(day, 'YYYY-MM-DD') as day, valid, rate_limited, exhausted, expired, disabled, forbidden
  from ${sql.id(schema, "key_usage")} where user_id = ${userId} order by day, key_id`;
