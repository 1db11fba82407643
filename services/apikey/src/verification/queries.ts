import { compileOnce, plannedList, type Slots } from "@latchkey/service-kit/database";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { schema, type Tables } from "../db/tables.ts";
import { type ApiKeyRow, keySelection } from "../db/key-row.ts";
import type { UseOutcome } from "../usage/usage-tally.ts";

/** Uses of one key, taken all together or not at all. */
export interface Uses {
  /** The lookup value of the key, or its id, as the caller of `takeUses` says. */
  key: string;
  count: number;
  now: Date;
  /** JSON of resources to actions that the key must have. Null requires nothing. */
  permissions: string | null;
  /** Whether the key stands for a session. A key without permissions then has every permission, and one of an organization has none. */
  passesUnrestricted: boolean;
}

/** A key and its figures before the uses, or after them if they were taken. */
export interface UsesFound {
  uses: Uses;
  row: ApiKeyRow;
  /** `retired` means that the successor of the key decides. */
  outcome: UseOutcome | "retired";
  isTaken: boolean;
  /** The uses left, including a refill that is due. Null means unlimited. */
  usable: number | null;
  /** The number of uses that the rate limit allows now. Null means unlimited. */
  room: number | null;
}

const table = sql.id(schema, "api_key");
const ownerTable = sql.id(schema, "owner");

// SQL expressions over a row of the table (`k`) and over the requested uses (`asked`). They are declared once, because the reply and the
// change must agree.

const isRefillDue = sql<SqlBool>`(k.remaining is not null and k.refill_interval > 0 and k.refill_amount > 0
  and coalesce(k.last_refill_at, k.created_at) + k.refill_interval * interval '24 hours' < asked.now)`;

const usable = sql<
  number | null
>`(case when ${isRefillDue} then k.refill_amount else k.remaining end)`;

const isLimited = sql<SqlBool>`(asked.limits_rate and k.rate_limit_enabled
  and k.rate_limit_time_window is not null and k.rate_limit_max is not null)`;

/** The window runs from the last allowed use. */
const isWindowOver = sql<SqlBool>`(k.last_request is null
  or k.last_request + k.rate_limit_time_window * interval '1 millisecond' < asked.now)`;

const room = sql<number | null>`(case when not ${isLimited} then null
  when ${isWindowOver} then k.rate_limit_max::bigint
  else greatest(k.rate_limit_max - k.request_count, 0) end)`;

/**
 * Why the key's owner may not use it, or null. A key of an organization is blocked only if its creator was claimed since the key was
 * created. A key that a merge gave to the owner afterwards is not blocked by an earlier claim.
 */
const hindrance = sql<
  "departed" | "banned" | null
>`(select case when coalesce(k.owner_since, k.created_at) <= o.claimed_at or k.user_id is not null and o.departed_at is not null then 'departed'
    when k.user_id is not null and o.banned and (o.banned_until is null or o.banned_until > asked.now) then 'banned' end
  from ${ownerTable} o where o.user_id = coalesce(k.user_id, k.created_by))`;

/** An organization has no session, so its keys never stand for one. */
const isPermitted = sql<SqlBool>`(not (asked.passes_unrestricted and k.organization_id is not null)
  and (asked.permissions is null
  or coalesce(k.permissions @> asked.permissions and asked.permissions <> '{}',
    k.permissions is null and asked.passes_unrestricted)))`;

type Judgement = UsesFound["outcome"] | "departed";

const outcome: RawBuilder<Judgement> = sql`(case
  when not k.enabled or k.disabled_by_admin then 'disabled'
  when k.expires_at < asked.now then 'expired'
  when ${hindrance} is not null then ${hindrance}
  when k.successor_id is not null then 'retired'
  when not ${isPermitted} then 'forbidden'
  when ${usable} < asked.count then 'exhausted'
  when ${room} < asked.count then 'rateLimited'
  else 'valid' end)`;

interface Params {
  keys: string[];
  counts: number[];
  nows: Date[];
  permissions: (string | null)[];
  passesUnrestricted: boolean[];
  /** Whether rate limits are enabled at all. */
  limitsRate: boolean;
}

type Found = ApiKeyRow &
  Omit<UsesFound, "outcome" | "row" | "uses"> & { outcome: Judgement; place: number };

/** The column that identifies a key: the lookup value of a presented key, or the id of a successor. */
export type KeyColumn = "key" | "id";

const compileTake = (by: KeyColumn) =>
  compileOnce((_: Kysely<Tables>, given: Slots<Params>) => {
    const isAsked = sql<SqlBool>`k.${sql.id(by)} = asked.key`;
    const columns = sql.join(keySelection.map((column) => sql`k.${sql.ref(column)}`));
    return sql<Found>`
    with asked as not materialized (
      select a.key, a.count, a.now, a.permissions::jsonb as permissions, a.passes_unrestricted, a.place,
        ${given.limitsRate}::boolean as limits_rate
      from unnest(${given.keys}::text[], ${given.counts}::integer[], ${given.nows}::timestamptz[],
        ${given.permissions}::text[], ${given.passesUnrestricted}::boolean[]) with ordinality
        as a (key, count, now, permissions, passes_unrestricted, place)
    ), taken as (
      update ${table} k set
        remaining = ${usable} - asked.count,
        last_refill_at = case when ${isRefillDue} then asked.now else k.last_refill_at end,
        request_count = case when not ${isLimited} then k.request_count
          when ${isWindowOver} then asked.count else k.request_count + asked.count end,
        last_request = case when ${isLimited} or not (asked.limits_rate and k.rate_limit_enabled)
          then greatest(k.last_request, asked.now) else k.last_request end
      from asked where ${isAsked} and ${outcome} = 'valid'
      returning ${columns}, asked.place, 'valid' as outcome, k.remaining as usable, ${room} as room, true as is_taken
    ), rest as materialized (
      select asked.* from asked where not exists (select from taken where taken.place = asked.place)
    )
    select * from taken
    union all
    select ${columns}, asked.place, ${outcome}, ${usable}, ${room}, false
    from rest asked join ${table} k on ${isAsked}`;
  });

const takeStatements = { key: compileTake("key"), id: compileTake("id") };

const noUses = {
  key: "",
  count: 0,
  now: new Date(0),
  permissions: null,
  passesUnrestricted: false,
};

/**
 * Takes uses of several keys in one statement, for each key all of them or none. Concurrent uses are taken into account. Leaves out unknown
 * keys, keys of deleted owners, and keys from before their user was claimed. If a key is `valid` but not taken, a concurrent change came
 * first, and the caller must retry. Keys are locked in the order of their lookup values or ids, as Postgres currently plans it.
 */
export const takeUses = async (
  db: Kysely<Tables>,
  many: readonly Uses[],
  { by, limitsRate }: Pick<Params, "limitsRate"> & { by: KeyColumn },
): Promise<UsesFound[]> => {
  const sorted = many.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const requestedUses = plannedList<Uses>(sorted, noUses);
  const takenRows = await takeStatements[by].rows(db, {
    keys: requestedUses.map(({ key }) => key),
    counts: requestedUses.map(({ count }) => count),
    nows: requestedUses.map(({ now }) => now),
    permissions: requestedUses.map(({ permissions }) => permissions),
    passesUnrestricted: requestedUses.map(({ passesUnrestricted }) => passesUnrestricted),
    limitsRate,
  });
  return takenRows.flatMap(({ place, outcome, isTaken, usable, room, ...row }) =>
    outcome === "departed"
      ? []
      : [{ uses: requestedUses[place - 1] ?? noUses, row, outcome, isTaken, usable, room }],
  );
};
