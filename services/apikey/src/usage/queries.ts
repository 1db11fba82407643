import type { ApiKeyUsage } from "@latchkey/contracts";
import type { DayRange } from "@latchkey/service-kit";
import { type Kysely, type QueryCreator, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { KeyUsageTable, Tables } from "../db/tables.ts";

const outcomes = [
  "valid",
  "rateLimited",
  "exhausted",
  "expired",
  "disabled",
  "forbidden",
] as const satisfies readonly (keyof KeyUsageTable)[];

const [, ...refusals] = outcomes;

/** The number of uses by outcome. */
export type UsageCounts = Record<(typeof outcomes)[number], number>;

/** The outcomes of the uses of a key on a UTC date, `YYYY-MM-DD`. */
export type UsageRow = UsageCounts & { keyId: string; userId: string; day: string };

/** The owner of the uses. Undefined selects keys of any user. */
export interface UsageOwner {
  keyId: string;
  userId?: string | undefined;
}

const one = sql<number>`1`.as("one");
const table = sql.id(schema, "key_usage");
const totalTable = sql.id(schema, "usage_total");
const ownerTable = sql.id(schema, "owner");

/**
 * Adds to the counts of keys and days, each at most once among the rows, and to the totals of the days. All writers use one order, keys
 * before totals, so that they never deadlock. Uses of deleted users are not stored by key. They count in the totals, which contain no user.
 */
export const addUsage = async (db: Kysely<Tables>, rows: readonly UsageRow[]): Promise<void> => {
  const listed = <Name extends keyof UsageRow>(name: Name) => rows.map((row) => row[name]);
  const counts = outcomes.map((name) => sql`${listed(name)}::bigint[]`);
  const columns = sql.join(outcomes.map((name) => sql.ref(name)));
  const sums = outcomes.map((name) => {
    const column = sql.ref(name);
    return sql`${column} = counted.${column} + excluded.${column}`;
  });
  const refused = sql.join(
    refusals.map((name) => sql.ref(name)),
    sql` + `,
  );
  await sql`
    with given as (
      select * from unnest(
        ${listed("keyId")}::text[], ${listed("day")}::date[], ${listed("userId")}::text[], ${sql.join(counts)}
      ) as given (key_id, day, user_id, ${columns})
    ), written as (
      insert into ${table} as counted (key_id, day, user_id, ${columns})
      select * from given
      where not exists (
        select from ${ownerTable} o where o.user_id = given.user_id and o.departed_at is not null
      )
      order by key_id, day
      on conflict (key_id, day) do update set ${sql.join(sums)}
      returning 1
    )
    insert into ${totalTable} as total (day, valid, refused)
    select day, sum(valid), sum(${refused})
    -- Counted first, which needs all keys to be written before the first total is.
    from given, (select count(*) from written) as after
    group by day
    order by day
    on conflict (day) do update set
      valid = total.valid + excluded.valid, refused = total.refused + excluded.refused`.execute(db);
};

const ofOwner = (db: Kysely<Tables>, { keyId, userId }: UsageOwner) =>
  db
    .selectFrom("keyUsage")
    .where("keyId", "=", keyId)
    .$if(userId !== undefined, (query) => query.where("userId", "=", userId as string));

/** Returns the daily outcomes of the uses of a key, the first day first. */
export const listUsage = (
  db: Kysely<Tables>,
  { from, to, ...owner }: UsageOwner & DayRange,
): Promise<ApiKeyUsage["days"]> =>
  ofOwner(db, owner)
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select(outcomes)
    .where("keyUsage.day", ">=", from)
    .where("keyUsage.day", "<=", to)
    .orderBy("keyUsage.day")
    .execute();

/** Returns the outcomes of the uses of all keys for the days that have any, the first day first. */
export const listUsageTotals = (
  db: Kysely<Tables>,
  { from, to }: DayRange,
): Promise<{ day: string; valid: number; refused: number }[]> =>
  db
    .selectFrom("usageTotal")
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select(["valid", "refused"])
    .where("usageTotal.day", ">=", from)
    .where("usageTotal.day", "<=", to)
    .orderBy("usageTotal.day")
    .execute();

/** Returns whether a key exists, or has counts from before its deletion. */
export const isKeyKnown = async (db: Kysely<Tables>, owner: UsageOwner): Promise<boolean> => {
  const { keyId, userId } = owner;
  const key = db
    .selectFrom("apiKey")
    .select(one)
    .where("id", "=", keyId)
    .$if(userId !== undefined, (query) => query.where("userId", "=", userId as string));
  const counted = ofOwner(db, owner).select(one);
  const { isKnown } = await db
    .selectNoFrom((eb) => eb.or([eb.exists(key), eb.exists(counted)]).as("isKnown"))
    .executeTakeFirstOrThrow();
  return Boolean(isKnown);
};

type Chosen = Tables & { chosen: { keyId: string; day: string } };

const deleteChosen = async (db: QueryCreator<Chosen>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("keyUsage")
    .using("chosen")
    .whereRef("keyUsage.keyId", "=", "chosen.keyId")
    .whereRef("keyUsage.day", "=", "chosen.day")
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

/** Deletes up to `limit` counts from before a day. Returns how many it deleted. */
export const deleteUsageBefore = (
  db: Kysely<Tables>,
  before: string,
  limit: number,
): Promise<number> =>
  deleteChosen(
    db.with("chosen", (cte) =>
      cte
        .selectFrom("keyUsage")
        .select(["keyId", "day"])
        .where("day", "<", before)
        .orderBy("day")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    ),
  );

/**
 * Deletes up to `limit` counts of the keys of some users. Returns how many it deleted. It waits for transactions that change one. Fewer
 * than `limit` mean that none is left.
 */
export const deleteUsageOf = (
  db: Kysely<Tables>,
  userIds: readonly string[],
  limit: number,
): Promise<number> =>
  deleteChosen(
    db.with("chosen", (cte) =>
      cte
        .selectFrom("keyUsage")
        .select(["keyId", "day"])
        .where("userId", "=", (eb) => eb.fn.any(eb.val(userIds)))
        .orderBy("keyId")
        .orderBy("day")
        .limit(limit)
        .forUpdate(),
    ),
  );
