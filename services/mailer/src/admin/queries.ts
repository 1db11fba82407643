import { type DayRange, estimateRows, type ListPage, planAnew } from "@latchkey/service-kit";
import {
  type Kysely,
  type QueryCreator,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from "kysely";
import type { DeliveryState, Tables } from "../db/tables.ts";

/** A mail without its content. */
export interface DeliveryRow {
  id: string;
  recipient: string;
  subject: string;
  event: string | null;
  state: DeliveryState;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

/** Criteria and order of listed mails. */
export interface DeliveryRange {
  page: ListPage<"createdAt">;
  /** Part of the recipient's address, case-insensitive. */
  term?: string | undefined;
  /** The whole address, case-insensitive. */
  recipient?: string | undefined;
  state?: DeliveryState | undefined;
}

/** Rows in order, and the number of matches, which may be capped. */
export interface CountedDeliveries {
  rows: DeliveryRow[];
  count: number;
}

const shown = [
  "delivery.id",
  "delivery.recipient",
  "delivery.subject",
  "delivery.event",
  "delivery.state",
  "delivery.attempts",
  "delivery.lastError",
  "delivery.createdAt",
  "delivery.settledAt",
] as const;

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/** The trigram index needs three consecutive letters or digits. Shorter terms use a prefix index. */
const hasTrigram = /[\p{L}\p{N}]{3}/u;

/**
 * The part of a searched address that the trigram index looks up: the characters before the `@`, with it. The domain matches
 * half of all mails, and each of its common trigrams costs an index look-up.
 */
const localPart = /^[^@]*?([^@]{6,12}@)./su;

const like = (pattern: string): RawBuilder<SqlBool> =>
  sql`lower(recipient) collate "C" like lower(${pattern}) collate "C"`;

/** Matches addresses that contain a term. A term that is too short for trigrams must be at the beginning. */
const hasTerm = (term: string): RawBuilder<SqlBool> => {
  if (!hasTrigram.test(term)) return like(`${escaped(term)}%`);
  const part = localPart.exec(term)?.[1];
  return part === undefined
    ? like(`%${escaped(term)}%`)
    : sql`(${like(`%${escaped(part)}%`)} and strpos(lower(recipient), lower(${term})) > 0)`;
};

const fits = ({ term, recipient, state }: Omit<DeliveryRange, "page">): RawBuilder<SqlBool> => {
  const asked = [
    state !== undefined && sql`state = ${state}`,
    recipient !== undefined && sql`lower(recipient) collate "C" = lower(${recipient}) collate "C"`,
    term !== undefined && hasTerm(term),
  ].filter((condition) => condition !== false);
  return asked.length === 0 ? sql`true` : sql`${sql.join(asked, sql` and `)}`;
};

const one = sql<number>`1`.as("one");

type Order = Pick<DeliveryRange["page"], "after" | "order">;

/** Orders the query and starts it after a place. With a state, in the order of the index that begins with the state. */
const inOrder = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { order: { direction }, after }: Order,
  state?: DeliveryState,
): SelectQueryBuilder<DB, TB, O> => {
  const columns = [...(state ? ["state"] : []), "createdAt", "id"].map((name) => sql.ref(name));
  const values = [
    ...(state ? [sql`${state}::text`] : []),
    sql`${after?.key}::timestamptz`,
    sql`${after?.id}::text`,
  ];
  const [further, until] = direction === "asc" ? [">", "<="] : ["<", ">="];
  const ordered = columns.reduce((part, column) => part.orderBy(column, direction), query);
  // With `=`, the planner could choose any index on the remaining columns. With both bounds after a place, a scan would not
  // start there.
  const ofState =
    state === undefined
      ? ordered
      : ordered.where(
          after
            ? sql<SqlBool>`state ${sql.raw(until)} ${state}`
            : sql<SqlBool>`state between ${state} and ${state}`,
        );
  return after
    ? ofState.where(sql<SqlBool>`(${sql.join(columns)}) ${sql.raw(further)} (${sql.join(values)})`)
    : ofState;
};

type Counted = Tables & { counted: { count: number }; page: { id: string; createdAt: Date } };

/** Joins page places with their rows. */
const describe = (db: QueryCreator<Counted>, { page }: DeliveryRange) =>
  db
    .selectFrom("counted")
    .leftJoin("page", (join) => join.onTrue())
    .leftJoin("delivery", "delivery.id", "page.id")
    .select("counted.count")
    .select(shown)
    .orderBy("page.createdAt", page.order.direction)
    .orderBy("page.id", page.order.direction);

type Described = { [Name in keyof DeliveryRow]: DeliveryRow[Name] | null } & { count: number };

/** A count without rows arrives as a row of nulls. */
const toCounted = (found: readonly Described[]): CountedDeliveries => ({
  count: found[0]?.count ?? 0,
  rows: found.filter(({ id }) => id !== null).map(({ count: _, ...row }) => row as DeliveryRow),
});

/** Lists a range without a term by scanning an index in its order, for a recipient or a state. Counts up to `countMax`. */
export const listInOrder = async (
  db: Kysely<Tables>,
  range: DeliveryRange,
  countMax: number,
): Promise<CountedDeliveries> => {
  const { page, state, recipient } = range;
  const counted = db
    .selectFrom("delivery")
    .select(one)
    .where(fits({ recipient, state }))
    .limit(countMax);
  const query = db
    .with("page", (cte) => {
      const listed = cte.selectFrom("delivery").select(["id", "createdAt"]);
      return (
        recipient === undefined
          ? inOrder(listed, page, state)
          : inOrder(listed.where(fits({ recipient, state })), page)
      )
        .offset(page.offset)
        .limit(page.limit);
    })
    .with("counted", (cte) =>
      cte.selectFrom(counted.as("counting")).select((eb) => eb.fn.countAll<number>().as("count")),
    );
  return toCounted(await planAnew(db, describe(query, range)));
};

/**
 * Finds and sorts all matches, wherever they are in the order. If there are `countMax` or more, returns only that count and no
 * rows.
 */
export const gather = async (
  db: Kysely<Tables>,
  range: DeliveryRange,
  countMax?: number,
): Promise<CountedDeliveries> => {
  const { limit, offset } = range.page;
  const query = db
    .with(
      (cte) => cte("found").materialized(),
      (cte) =>
        cte
          .selectFrom("delivery")
          .select(["id", "createdAt"])
          .where(fits(range))
          .$if(countMax !== undefined, (all) => all.limit(countMax as number)),
    )
    .with("counted", (cte) =>
      cte.selectFrom("found").select((eb) => eb.fn.countAll<number>().as("count")),
    )
    .with("page", (cte) =>
      inOrder(cte.selectFrom("found").select(["id", "createdAt"]), range.page)
        .$if(countMax !== undefined, (all) =>
          all.where(
            (eb) => eb.selectFrom("counted").select("counted.count"),
            "<",
            countMax as number,
          ),
        )
        .offset(offset)
        .limit(limit),
    );
  return toCounted(await planAnew(db, describe(query, range)));
};

/**
 * Scans an index in its order until there are enough matches. Looks at no more than `walkedMax` rows in addition to the offset,
 * so there may be more matches if the range is not full.
 */
export const walk = async (
  db: Kysely<Tables>,
  { page, term, recipient, state }: DeliveryRange,
  walkedMax: number,
): Promise<DeliveryRow[]> => {
  const { limit, offset, order } = page;
  const walked = inOrder(
    db.selectFrom("delivery").select(["id", "recipient", "state", "createdAt"]),
    page,
    state,
  ).limit(walkedMax + offset);
  const query = db
    .with("page", (cte) =>
      inOrder(
        cte
          .selectFrom(walked.as("walked"))
          .select(["id", "createdAt"])
          .where(fits({ term, recipient })),
        { order },
      )
        .offset(offset)
        .limit(limit),
    )
    .selectFrom("page")
    .innerJoin("delivery", "delivery.id", "page.id")
    .select(shown)
    .orderBy("page.createdAt", order.direction)
    .orderBy("page.id", order.direction);
  return planAnew(db, query);
};

/** Returns whether there are more rows than a scan of this length covers. */
export const goesBeyond = async (
  db: Kysely<Tables>,
  { page, state }: DeliveryRange,
  walkedMax: number,
): Promise<boolean> => {
  const query = inOrder(db.selectFrom("delivery").select(one), page, state);
  const rows = await planAnew(db, query.offset(walkedMax + page.offset).limit(1));
  return rows.length > 0;
};

/** Returns the planner's estimate of the matches. */
export const estimateCount = (db: Kysely<Tables>, range: DeliveryRange): Promise<number> =>
  estimateRows(db, db.selectFrom("delivery").select(one).where(fits(range)));

/** Returns a mail with its encrypted content. */
export const findDelivery = (
  db: Kysely<Tables>,
  id: string,
): Promise<(DeliveryRow & { contentSealed: string }) | undefined> =>
  db
    .selectFrom("delivery")
    .select(shown)
    .select("contentSealed")
    .where("id", "=", id)
    .executeTakeFirst();

/** Restores all attempts of a failed mail. Returns undefined if there is no such failed mail. Of concurrent calls, one succeeds. */
export const updateFailed = (db: Kysely<Tables>, id: string): Promise<DeliveryRow | undefined> =>
  db
    .updateTable("delivery")
    .set((eb) => ({
      state: "retrying" as const,
      attemptsForgiven: eb.ref("attempts"),
      settledAt: null,
    }))
    .where("id", "=", id)
    .where("state", "=", "failed")
    .returning(shown)
    .executeTakeFirst();

/** Returns the number of settled mails by day and outcome, the first day first, without empty days. */
export const listDays = (
  db: Kysely<Tables>,
  { from, to }: DayRange,
): Promise<{ day: string; sent: number; failed: number; captured: number }[]> =>
  db
    .selectFrom("deliveryDay")
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select(["sent", "failed", "captured"])
    .where("deliveryDay.day", ">=", from)
    .where("deliveryDay.day", "<=", to)
    .orderBy("deliveryDay.day")
    .execute();
