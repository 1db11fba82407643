import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The table of the database limiter. `last_request` and `window_ends_at` are ms since 1970, as the published record of
 * a limit has them; the index serves the deletion of windows that are over.
 */
export const rateLimitMigration: Migration = {
  async up(db) {
    await sql`
      create table rate_limit (
        key text primary key,
        count integer not null,
        last_request bigint not null default floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
        window_ends_at bigint not null
      )
    `.execute(db);
    await sql`create index rate_limit_window_ends_at on rate_limit (window_ends_at)`.execute(db);
  },
};
