import type { RefusalReason } from "@latchkey/contracts";
import { deleteRowsBefore } from "@latchkey/service-kit/database";
import type { DayRange } from "@latchkey/service-kit/statistics";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../db/tables.ts";
import { schema } from "../db/schema.ts";

/** The additive counts of a day. */
export const countNames = ["signUps", "signIns", "signInsFailed"] as const;

/** The activity of a day, as `YYYY-MM-DD` in UTC, and its active users. */
export type ActivityRow = { day: string; userIds: Set<string> } & Record<
  (typeof countNames)[number],
  number
>;

/** The reported counts of a day. */
export type ActivityCounts = Record<(typeof countNames)[number] | "activeUsers", number>;

const table = sql.id(schema, "daily_count");
const userTable = sql.id(schema, "active_user");

/**
 * Adds to the counts of some days, each at most once among the rows. A user counts once a day, whichever processes have
 * seen the user. Rows are written in a fixed order, so that concurrent writes do not deadlock.
 */
export const addActivity = async (
  db: Kysely<Tables>,
  rows: readonly ActivityRow[],
): Promise<void> => {
  const seen = rows.flatMap(({ day, userIds }) => [...userIds].map((userId) => ({ day, userId })));
  const columns = sql.join(countNames.map((name) => sql.ref(name)));
  const counts = countNames.map((name) => sql`${rows.map((row) => row[name])}::bigint[]`);
  const sums = [...countNames, "activeUsers" as const].map((name) => {
    const column = sql.ref(name);
    return sql`${column} = counted.${column} + excluded.${column}`;
  });
  await sql`
    with added as (
      insert into ${userTable} (day, user_id)
      select * from unnest(
        ${seen.map(({ day }) => day)}::date[], ${seen.map(({ userId }) => userId)}::text[]
      ) as seen (day, user_id)
      order by day, user_id
      on conflict do nothing
      returning day
    )
    insert into ${table} as counted (day, ${columns}, active_users)
    select day, ${columns}, (select count(*) from added where added.day = given.day)
    from unnest(${rows.map(({ day }) => day)}::date[], ${sql.join(counts)}) as given (day, ${columns})
    order by day
    on conflict (day) do update set ${sql.join(sums)}`.execute(db);
};

/** The sign-ins of a day by one method. A sign-in with a second factor counts for both methods. */
export interface MethodRow {
  day: string;
  method: string;
  signIns: number;
}

/** Adds to the counts of some methods. Rows are written in a fixed order, so that concurrent writes do not deadlock. */
export const addMethods = async (db: Kysely<Tables>, rows: readonly MethodRow[]): Promise<void> => {
  await sql`
    insert into ${sql.id(schema, "daily_method_count")} as counted (day, method, sign_ins)
    select day, method, sign_ins
    from unnest(
      ${rows.map(({ day }) => day)}::date[], ${rows.map(({ method }) => method)}::text[],
      ${rows.map(({ signIns }) => signIns)}::bigint[]
    ) as given (day, method, sign_ins)
    order by day, method
    on conflict (day, method) do update set sign_ins = counted.sign_ins + excluded.sign_ins`.execute(
    db,
  );
};

/** Returns the sign-ins by day and method, oldest first. */
export const listMethods = (db: Kysely<Tables>, { from, to }: DayRange): Promise<MethodRow[]> =>
  db
    .selectFrom("dailyMethodCount")
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select(["method", "signIns"])
    .where("dailyMethodCount.day", ">=", from)
    .where("dailyMethodCount.day", "<=", to)
    .orderBy("dailyMethodCount.day")
    .orderBy("method")
    .execute();

/** The refused sign-ins of a day for one reason. */
export interface RefusalCountRow {
  day: string;
  reason: RefusalReason;
  refusals: number;
}

/** Adds to the counts of some reasons. Rows are written in a fixed order, so that concurrent writes do not deadlock. */
export const addRefusalCounts = async (
  db: Kysely<Tables>,
  rows: readonly RefusalCountRow[],
): Promise<void> => {
  await sql`
    insert into ${sql.id(schema, "daily_refusal_count")} as counted (day, reason, refusals)
    select day, reason, refusals
    from unnest(
      ${rows.map(({ day }) => day)}::date[], ${rows.map(({ reason }) => reason)}::text[],
      ${rows.map(({ refusals }) => refusals)}::bigint[]
    ) as given (day, reason, refusals)
    order by day, reason
    on conflict (day, reason) do update set refusals = counted.refusals + excluded.refusals`.execute(
    db,
  );
};

/** Returns the refused sign-ins by day and reason, oldest first. */
export const listRefusalCounts = (
  db: Kysely<Tables>,
  { from, to }: DayRange,
): Promise<RefusalCountRow[]> =>
  db
    .selectFrom("dailyRefusalCount")
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select(["reason", "refusals"])
    .where("dailyRefusalCount.day", ">=", from)
    .where("dailyRefusalCount.day", "<=", to)
    .orderBy("dailyRefusalCount.day")
    .orderBy("reason")
    .execute();

/** Returns the counts by day, oldest first. Leaves out days without any. */
export const listActivity = (
  db: Kysely<Tables>,
  { from, to }: DayRange,
): Promise<({ day: string } & ActivityCounts)[]> =>
  db
    .selectFrom("dailyCount")
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select([...countNames, "activeUsers"])
    .where("dailyCount.day", ">=", from)
    .where("dailyCount.day", "<=", to)
    .orderBy("dailyCount.day")
    .execute();

/** Deletes up to `limit` active-user rows of days before this one. Returns the number. */
export const deleteActiveUsersBefore = (
  db: Kysely<Tables>,
  before: string,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "activeUser", { key: ["day", "userId"], column: "day", before, limit });
