import type { SchemaMigration } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

/** The hash of an imported account's row `t`, over the columns that imports wrote until now. */
const hashOfRow = sql`md5(row(t.id, t.user_id, t.provider_id, t.account_id, t.password, t.access_token, t.refresh_token,
  t.id_token, t.access_token_expires_at, t.refresh_token_expires_at, t.scope, t.created_at, t.updated_at,
  t.provisioned)::text)::uuid`;

/**
 * Lets a claim end imported accounts, and every account of a user whose address is not proven. Only accounts with a
 * proven address, and invitations without a password, stay provisioned. So nobody keeps a password that was set before this version for an
 * address of somebody else.
 *
 * Imports recorded no creation in the audit. Accounts that are unchanged since their import still count as unchanged.
 */
export const importedAccountsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    const table = (name: string) => sql.id(schema, name);
    // The hashes cover the text of times.
    await sql`select set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true)`.execute(
      db,
    );
    await sql`
      with untouched as materialized (
        select known.source, known.key from ${table("taken")} as known
        join ${table("account")} as t on t.id = known.key
        where known.model = 'account' and t.provisioned and known.kept = ${hashOfRow}),
      cleared as (
        update ${table("account")} as t set provisioned = false
        from ${table("user")} as u
        where t.provisioned and u.id = t.user_id and not (
          (u.email_verified and not u.verified_by_link_alone or t.invited_at is not null and t.password is null)
          and exists (
            select from ${table("audit")} as made
            where made.subject_kind = 'user' and made.subject_id = u.id and made.action = 'user.created'))
        returning t.id, ${hashOfRow} as kept)
      update ${table("taken")} as known set kept = cleared.kept
      from untouched join cleared on cleared.id = untouched.key
      where known.model = 'account' and known.source = untouched.source and known.key = untouched.key`.execute(
      db,
    );
  },
};
