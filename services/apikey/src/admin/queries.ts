import { qualified } from "@latchkey/service-kit/database";
import {
  equalsLead,
  escapeLike,
  hasIds,
  type List,
  selectColumns,
} from "@latchkey/service-kit/lists";
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import { schema, type Tables } from "../db/tables.ts";
import { type ApiKeyRow, keySelection } from "../db/key-row.ts";

/** The state of a key: enabled, disabled by anyone, or expired. */
export type KeyState = "enabled" | "disabled" | "expired";

/** The filters of a list of keys. */
export interface KeyFilter {
  userId?: string | undefined;
  organizationId?: string | undefined;
  /** Matches the whole prefix. */
  prefix?: string | undefined;
  /** Matches the beginning, or the whole id. */
  start?: string | undefined;
  state?: KeyState | undefined;
  ids?: string | readonly string[] | undefined;
  now: Date;
}

/** The expression of the index is `(not enabled or disabled_by_admin)`. */
const hasState = (state: KeyState, now: Date): RawBuilder<SqlBool> => {
  if (state === "disabled") return sql`(not enabled or disabled_by_admin)`;
  if (state === "expired") return sql`expires_at < ${now}`;
  return sql`(enabled and not disabled_by_admin and coalesce(expires_at >= ${now}, true))`;
};

/** The keys of all owners, oldest first by default. */
export const keyList: List<ApiKeyRow, KeyFilter> = {
  schema,
  table: "apiKey",
  select: selectColumns(qualified("apiKey", keySelection)),
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "asc" },
  where: ({ userId, organizationId, prefix, start, state, ids, now }) => [
    userId && equalsLead(sql.ref("userId"), sql`${userId}::text`),
    organizationId && equalsLead(sql.ref("organizationId"), sql`${organizationId}::text`),
    prefix && equalsLead(sql.ref("prefix"), sql`${prefix}::text`),
    start && { sql: sql`(start like ${`${escapeLike(start)}%`} or id = ${start})`, isSearch: true },
    state && { sql: hasState(state, now), isSearch: true },
    hasIds(ids),
  ],
};

/** Sets whether an admin has disabled a key. Returns undefined if there is no such key or it already has that state. */
export const updateDisabledByAdmin = (
  db: Kysely<Tables>,
  { id, disabledByAdmin, now }: { id: string; disabledByAdmin: boolean; now: Date },
): Promise<ApiKeyRow | undefined> =>
  db
    .updateTable("apiKey")
    .set({ disabledByAdmin, updatedAt: now })
    .where("id", "=", id)
    .where("disabledByAdmin", "!=", disabledByAdmin)
    .returning(keySelection)
    .executeTakeFirst();
