import type { ApiKeyUsage } from "@latchkey/contracts";
import { deleteRowsBefore } from "@latchkey/service-kit/database";
import type { DayRange } from "@latchkey/service-kit/statistics";
import { type Kysely, sql } from "kysely";
import { type KeyUsageTable, schema, type Tables } from "../db/tables.ts";
import type { KeyOwner, OwnerColumns } from "../db/key-row.ts";

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
export type UsageRow = UsageCounts & OwnerColumns & { keyId: string; day: string };

/** A key and the owner that it must have. Undefined accepts any. */
export interface UsageOwner {
  keyId: string;
  owner?: KeyOwner | undefined;
}

const one = sql<number>`1`.as("one");
const table = sql.id(schema, "key_usage");
const totalTable = sql.id(schema, "usage_total");
const ownerTable = sql.id(schema, "owner");
const organizationTable = sql.id(schema, "departed_organization");

/**
 * Adds to the counts of keys and days, each at most once among the rows, and to the totals of the days. All writers use one order, keys
 * before totals, so that they never deadlock. Uses of deleted owners are not stored by key. They count in the totals, which contain no owner.
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
        ${listed("keyId")}::text[], ${listed("day")}::date[], ${listed("userId")}::text[], ${listed("organizationId")}::text[],
        ${sql.join(counts)}
      ) as given (key_id, day, user_id, organization_id, ${columns})
    ), written as (
      insert into ${table} as counted (key_id, day, user_id, organization_id, ${columns})
      select * from given
      where not exists (
        select from ${ownerTable} o where o.user_id = given.user_id and o.departed_at is not null
      ) and not exists (
        select from ${organizationTable} d where d.organization_id = given.organization_id
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

/** Restricts rows to an owner. Undefined restricts nothing. */
const belongsTo = (owner: KeyOwner | undefined) => {
  if (!owner) return sql<boolean>`true`;
  return "userId" in owner
    ? sql<boolean>`user_id = ${owner.userId}`
    : sql<boolean>`organization_id = ${owner.organizationId}`;
};

const ofOwner = (db: Kysely<Tables>, { keyId, owner }: UsageOwner) =>
  db.selectFrom("keyUsage").where("keyId", "=", keyId).where(belongsTo(owner));

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
export const isKeyKnown = async (db: Kysely<Tables>, asked: UsageOwner): Promise<boolean> => {
  const { keyId, owner } = asked;
  const key = db.selectFrom("apiKey").select(one).where("id", "=", keyId).where(belongsTo(owner));
  const counted = ofOwner(db, asked).select(one);
  const { isKnown } = await db
    .selectNoFrom((eb) => eb.or([eb.exists(key), eb.exists(counted)]).as("isKnown"))
    .executeTakeFirstOrThrow();
  return Boolean(isKnown);
};

/** Returns the organization that owns or owned a key. Returns undefined for a key of a user, and for an unknown one. */
export const findOrganizationOfKey = async (
  db: Kysely<Tables>,
  keyId: string,
): Promise<string | undefined> => {
  const key = db
    .selectFrom("apiKey")
    .select("organizationId")
    .where("id", "=", keyId)
    .where("organizationId", "is not", null);
  const counted = db
    .selectFrom("keyUsage")
    .select("organizationId")
    .where("keyId", "=", keyId)
    .where("organizationId", "is not", null);
  const owner = await key.unionAll(counted).limit(1).executeTakeFirst();
  return owner?.organizationId ?? undefined;
};

/** Deletes up to `limit` counts from before a day. Returns how many it deleted. */
export const deleteUsageBefore = (
  db: Kysely<Tables>,
  before: string,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "keyUsage", { key: ["keyId", "day"], column: "day", before, limit });

/** Owners of one kind. */
export type UsageOwners = { userIds: readonly string[] } | { organizationIds: readonly string[] };

/**
 * Deletes up to `limit` counts of the keys of some owners. Returns how many it deleted. It waits for transactions that change one. Fewer
 * than `limit` mean that none is left.
 */
export const deleteUsageOf = async (
  db: Kysely<Tables>,
  owners: UsageOwners,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .with("chosen", (cte) =>
      cte
        .selectFrom("keyUsage")
        .select(["keyId", "day"])
        .where(
          "userIds" in owners
            ? sql<boolean>`user_id = any(${[...owners.userIds]}::text[])`
            : sql<boolean>`organization_id = any(${[...owners.organizationIds]}::text[])`,
        )
        .orderBy("keyId")
        .orderBy("day")
        .limit(limit)
        .forUpdate(),
    )
    .deleteFrom("keyUsage")
    .using("chosen")
    .whereRef("keyUsage.keyId", "=", "chosen.keyId")
    .whereRef("keyUsage.day", "=", "chosen.day")
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
