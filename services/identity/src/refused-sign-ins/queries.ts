import type { RefusalReason } from "@latchkey/contracts";
import { deleteRowsBefore } from "@latchkey/service-kit/database";
import { equalsLead, type List, selectColumns } from "@latchkey/service-kit/lists";
import { type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** Refused sign-ins of a user on a UTC day, from one address and for one reason. */
export interface RefusalRow {
  userId: string;
  /** As `YYYY-MM-DD`. */
  day: string;
  /** Empty for all addresses beyond `addressesMax`. */
  ipAddress: string;
  reason: RefusalReason;
  count: number;
  firstAt: Date;
  lastAt: Date;
}

/** The addresses that the rows of a user and day name. Further ones share a row for each reason. */
export const addressesMax = 20;

/** With so many rows on a day, no further address of any user is named: an attack on all users must not fill the disk. */
const rowsOfDayMax = 200_000;

const table = sql.id(schema, "refused_sign_in");
const userTable = sql.id(schema, "user");

/**
 * Adds to the refused sign-ins of some users. Writers run one after another, so that concurrent ones do not exceed the limits together.
 * Leaves out deleted users.
 */
export const addRefusals = (
  db: Kysely<Tables>,
  rows: readonly RefusalRow[],
  limits = { addressesMax, rowsOfDayMax },
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('latchkey refused sign-ins'))`.execute(trx);
    await sql`
      with given as (
        select sent.* from unnest(
          ${rows.map(({ userId }) => userId)}::text[], ${rows.map(({ day }) => day)}::date[],
          ${rows.map(({ ipAddress }) => ipAddress)}::text[], ${rows.map(({ reason }) => reason)}::text[],
          ${rows.map(({ count }) => count)}::bigint[],
          ${rows.map(({ firstAt }) => firstAt)}::timestamptz[], ${rows.map(({ lastAt }) => lastAt)}::timestamptz[]
        ) as sent (user_id, day, ip_address, reason, count, first_at, last_at)
        where exists (select 1 from ${userTable} as holder where holder.id = sent.user_id)
      ), address as (
        select distinct user_id, day, ip_address from given where ip_address <> ''
      ), fresh as (
        select user_id, day, ip_address, row_number() over (partition by user_id, day order by ip_address) + (
          select count(distinct stored.ip_address) from ${table} as stored
          where stored.user_id = address.user_id and stored.day = address.day and stored.ip_address <> ''
        ) as place
        from address where not exists (
          select 1 from ${table} as stored
          where (stored.user_id, stored.day, stored.ip_address) = (address.user_id, address.day, address.ip_address)
        )
      ), full_day as (
        select day from (select distinct day from given) as days where (
          select count(*) from (
            select 1 from ${table} as stored
            where stored.last_at >= days.day and stored.last_at < days.day + 1 limit ${limits.rowsOfDayMax}
          ) as stored_of_day
        ) >= ${limits.rowsOfDayMax}
      )
      insert into ${table} as held (user_id, day, ip_address, reason, count, first_at, last_at)
      select given.user_id, given.day,
        case when fresh.place is null
          or fresh.place <= ${limits.addressesMax} and full_day.day is null then given.ip_address else '' end as kept,
        reason, sum(count), min(first_at), max(last_at)
      from given
      left join fresh on (fresh.user_id, fresh.day, fresh.ip_address) = (given.user_id, given.day, given.ip_address)
      left join full_day on full_day.day = given.day
      group by given.user_id, given.day, kept, reason
      order by given.user_id, given.day, kept, reason
      on conflict on constraint refused_sign_in_once do update set
        count = held.count + excluded.count,
        first_at = least(held.first_at, excluded.first_at),
        last_at = greatest(held.last_at, excluded.last_at)`.execute(trx);
  });

/** Deletes up to `limit` rows whose last refusal was before a time. Returns the number. */
export const deleteRefusalsBefore = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "refusedSignIn", { key: ["id"], column: "lastAt", before, limit });

/** The refused sign-ins of a user for one reason. */
export interface RefusalTotal {
  reason: RefusalReason;
  count: number;
  addressCount: number;
  /** The address with the most of them. Empty if that is one of many. */
  ipAddress: string;
  lastAt: Date;
}

/** Returns the refused sign-ins of a user by reason, of the rows whose last one was after a time. The latest comes first. */
export const listRefusalTotals = async (
  db: Kysely<Tables>,
  userId: string,
  after: Date,
): Promise<RefusalTotal[]> => {
  const { rows } = await sql<RefusalTotal>`
    select reason, sum(count)::bigint as count, max(last_at) as "lastAt",
      count(distinct ip_address) filter (where ip_address <> '') as "addressCount",
      (array_agg(ip_address order by count desc, last_at desc))[1] as "ipAddress"
    from ${table} where user_id = ${userId} and last_at > ${after}
    group by reason order by max(last_at) desc, reason`.execute(db);
  return rows;
};

type ListedRefusal = Omit<RefusalRow, "day"> & { id: number };

interface RefusalFilter {
  userId?: string | undefined;
  reason?: RefusalReason | undefined;
  /** The first included time and the first excluded time. */
  from?: Date | undefined;
  until?: Date | undefined;
}

const columns = ["id", "userId", "ipAddress", "reason", "count", "firstAt", "lastAt"] as const;

/** The refused sign-ins, latest first. */
export const refusalList: List<ListedRefusal, RefusalFilter> = {
  schema,
  table: "refused_sign_in",
  select: selectColumns<ListedRefusal>(columns.map((column) => `refused_sign_in.${column}`)),
  keys: { lastAt: { sql: sql`last_at`, type: "time", isIndexed: true } },
  order: { by: "lastAt", direction: "desc" },
  hasNumberIds: true,
  where: ({ userId, reason, from, until }) => [
    Boolean(userId) && equalsLead(sql`user_id`, sql`${userId}::text`),
    reason !== undefined && { sql: sql`reason = ${reason}` },
    (from ?? until) !== undefined && {
      sql: sql`last_at >= ${from ?? "-infinity"} and last_at < ${until ?? "infinity"}`,
      bounds: { from, until },
    },
  ],
};

/** The last sign-in of a user. */
export interface LastSignIn {
  userId: string;
  signedInAt: Date;
  methods: string;
  ipAddress: string;
  userAgent: string;
}

/** Stores the last sign-ins of some users, each at most once among the rows, unless later ones are stored. Leaves out deleted users. */
export const upsertLastSignIns = async (
  db: Kysely<Tables>,
  rows: readonly LastSignIn[],
): Promise<void> => {
  await sql`
    insert into ${sql.id(schema, "last_sign_in")} as held (user_id, signed_in_at, methods, ip_address, user_agent)
    select sent.* from unnest(
      ${rows.map(({ userId }) => userId)}::text[], ${rows.map(({ signedInAt }) => signedInAt)}::timestamptz[],
      ${rows.map(({ methods }) => methods)}::text[], ${rows.map(({ ipAddress }) => ipAddress)}::text[],
      ${rows.map(({ userAgent }) => userAgent)}::text[]
    ) as sent (user_id, signed_in_at, methods, ip_address, user_agent)
    where exists (select 1 from ${userTable} as holder where holder.id = sent.user_id)
    order by user_id
    on conflict (user_id) do update set signed_in_at = excluded.signed_in_at, methods = excluded.methods,
      ip_address = excluded.ip_address, user_agent = excluded.user_agent
    where held.signed_in_at < excluded.signed_in_at`.execute(db);
};

/** Returns the times of the last sign-ins of some users, by user. */
export const findLastSignInTimes = async (
  db: Kysely<Tables>,
  userIds: readonly string[],
): Promise<Map<string, Date>> => {
  const rows = await db
    .selectFrom("lastSignIn")
    .select(["userId", "signedInAt"])
    .where("userId", "=", sql<string>`any(${userIds}::text[])`)
    .execute();
  return new Map(rows.map(({ userId, signedInAt }) => [userId, signedInAt]));
};

/** Returns the last sign-in of a user, or undefined if none is stored. */
export const findLastSignIn = (
  db: Kysely<Tables>,
  userId: string,
): Promise<LastSignIn | undefined> =>
  db.selectFrom("lastSignIn").selectAll().where("userId", "=", userId).executeTakeFirst();
