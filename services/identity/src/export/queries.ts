import type { PersonExport } from "@latchkey/contracts";
import { sql } from "kysely";
import { schema } from "../db/schema.ts";

type Dated<T> = { [Name in keyof T]: T[Name] | Date };

/** The accounts of a user without password and tokens, oldest first. */
export const selectAccounts = (userId: string) => sql<Dated<PersonExport["accounts"][number]>>`
  select id, provider_id, account_id, scope, password is not null as has_password,
    access_token_expires_at, refresh_token_expires_at, created_at, updated_at
  from ${sql.id(schema, "account")} where user_id = ${userId} order by created_at, id`;
