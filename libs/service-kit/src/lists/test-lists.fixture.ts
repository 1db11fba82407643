import { createTestDatabase } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { expect, inject } from "vitest";
import { createDatabase } from "../database/database.ts";
import { createPostgresPool } from "../database/postgres-pool.ts";
import { createLogger } from "../observe/logger.ts";
import { equalsLead, looseScan } from "./index-lead.ts";
import {
  askedOwner,
  type List,
  type ListCondition,
  type OwnerQuery,
  type ScopedList,
  selectColumns,
} from "./list.ts";
import { type ListQuery, readList } from "./read-list.ts";

const schema = "shop";
export const table = sql.id(schema, "item");

export interface Item {
  id: string;
  shop: string;
  kind: string;
  name: string;
  price: number | null;
  soldAt: Date | null;
  isNew: boolean;
}

export interface Filter {
  kind?: string;
  shop?: string;
  term?: string;
  cheaperThan?: number;
  /** A part of the kind. */
  kindPart?: string;
  from?: Date;
  until?: Date;
  /** Whether the statistics of names and kinds are trusted. */
  isMeasured?: boolean;
}

const hasKindPart = (part: string): ListCondition => {
  const present = looseScan({ table, fixed: [], columns: [sql`kind`] });
  const fits = (kind: typeof present) => sql<boolean>`strpos(${kind}, ${part}) > 0`;
  return {
    sql: fits(sql`kind`),
    lead: {
      columns: [sql`kind`],
      values: sql`select present.value0 from (${present}) as present where ${fits(sql`present.value0`)}`,
    },
  };
};

export const columns = ["id", "shop", "kind", "name", "price", "soldAt", "isNew"];

export const items: List<Item, Filter> = {
  schema,
  table: "item",
  select: selectColumns(columns.map((column) => `item.${column}`)),
  keys: {
    name: { sql: sql`name collate "C"`, type: "text", isIndexed: true },
    price: { sql: sql`price`, type: "number", isIndexed: false },
    soldAt: { sql: sql`sold_at`, type: "time", isIndexed: false },
    isNew: { sql: sql`is_new`, type: "boolean", isIndexed: false },
  },
  order: { by: "name", direction: "asc" },
  where: ({ kind, shop, term, cheaperThan, kindPart, isMeasured = false }) => [
    kind && { ...equalsLead(sql`kind`, sql`${kind}::text`), isMeasured },
    shop && equalsLead(sql`shop`, sql`${shop}::text`),
    kindPart && hasKindPart(kindPart),
    term && { sql: sql`strpos(name, ${term}) > 0`, isSearch: true, isMeasured },
    cheaperThan !== undefined && { sql: sql`price < ${cheaperThan}` },
  ],
};

/** The items by the time of their creation, which an index orders for each kind. */
export const byTime: List<Item, Filter> = {
  ...items,
  keys: { createdAt: { sql: sql`created_at`, type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "desc" },
  where: ({ kindPart, from, until }) => [
    kindPart && hasKindPart(kindPart),
    {
      sql: sql`created_at >= ${from ?? "-infinity"} and created_at < ${until ?? "infinity"}`,
      bounds: { from, until },
    },
  ],
};

const shopByName: OwnerQuery<{ owner: string }> = ({ owner }) =>
  sql`select distinct shop from ${table} where shop = ${owner}`;

export const ofShop: ScopedList<Item, Filter & { owner: string }> = {
  ...items,
  ownerColumn: sql`shop`,
  ownerOf: ({ owner }) => askedOwner(shopByName, { owner }),
  where: ({ kind, kindPart }) => [
    kind && { sql: sql`kind = ${kind}` },
    kindPart && hasKindPart(kindPart),
  ],
};

const createItems = async (url: string): Promise<void> => {
  const db = connect(url, 1);
  await sql`create schema ${sql.id(schema)}`.execute(db);
  await sql`
    create table ${table} (id text primary key, shop text not null, kind text not null, name text not null,
      price numeric, sold_at timestamptz, is_new boolean not null, created_at timestamptz not null)`.execute(
    db,
  );
  for (const lead of ["", "kind, ", "shop, ", "shop, kind, "])
    await sql`create index on ${table} (${sql.raw(lead)}(name collate "C"), id)`.execute(db);
  for (const lead of ["", "kind, "])
    await sql`create index on ${table} (${sql.raw(lead)}created_at, id)`.execute(db);
  await db.destroy();
};

const connect = (url: string, max: number): Kysely<unknown> => {
  const logger = createLogger({ service: "test", level: "silent" });
  const pool = createPostgresPool({ url, max, logger, applicationName: "test" });
  return createDatabase({ pool, schema, preparedStatements: true });
};

/** Opens a database with an empty table of items. */
export const openItems = async () => {
  const template = { name: "lists", hash: "1", build: createItems };
  const database = await createTestDatabase({ baseUrl: inject("databaseUrl"), template });
  const db = connect(database.url, 4);
  const read = (query: ListQuery<Filter>) => readList(db, items, query);
  const close = async () => {
    await db.destroy();
    await database.drop();
  };
  return { db, read, close };
};
export type OpenedItems = Awaited<ReturnType<typeof openItems>>;

type Read = (
  query: ListQuery<Filter>,
) => Promise<{ rows: Item[]; nextCursor?: string } | undefined>;

/** Reads all pages in turn, as a client does. */
export const walkPages = async (
  read: Read,
  query: ListQuery<Filter>,
  between: (lastId: string) => Promise<unknown> = async () => {},
): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ ...query, ...(cursor && { cursor }) });
    if (!page) throw new Error("there is no such owner");
    expect(page.rows.length).toBeLessThanOrEqual(Number(query.limit ?? 100));
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
    await between(ids.at(-1) ?? "");
  } while (cursor);
  return ids;
};

/** Names, prices and times are often equal or missing. Times are finer than a millisecond. */
export const insertFew = (db: Kysely<unknown>, prefix: string, count: number) =>
  sql`
    insert into ${table} (id, shop, kind, name, price, sold_at, is_new, created_at)
    select ${prefix} || lpad(n::text, 4, '0'), 'shop' || n % 3, (array['book', 'cookbook', 'pen'])[1 + n % 7 % 3],
      'name ' || n * 7 % 11, case when n % 4 > 0 then (n % 5)::numeric / 4 - 1 end,
      case when n % 3 > 0 then timestamptz '2030-01-01' + n / 6 * interval '1 microsecond' end, n % 2 = 0,
      timestamptz '2030-01-01' + n / 5 * interval '1 millisecond'
    from generate_series(1, ${count}::int) as n`.execute(db);

export const directions = ["asc", "desc"] as const;
