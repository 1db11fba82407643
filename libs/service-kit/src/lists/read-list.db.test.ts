import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type ListQuery, readList, readScopedList, readUncounted } from "./read-list.ts";
import {
  byTime,
  columns,
  directions,
  type Filter,
  insertFew,
  type Item,
  items,
  ofShop,
  openItems,
  type OpenedItems,
  table,
  walkPages,
} from "./test-lists.fixture.ts";

expectNoLeaks("file");

let list: OpenedItems;

describe("with few rows", () => {
  let all: (Item & { createdAt: Date; soldMicroseconds: number | null })[];
  beforeAll(async () => {
    list = await openItems();
    await insertFew(list.db, "i", 120);
    const { rows } = await sql<(typeof all)[number]>`
      select *, price::float8 as price, (extract(epoch from sold_at) * 1000000)::float8 as sold_microseconds
      from ${table}`.execute(list.db);
    all = rows;
  });
  afterAll(() => list.close());

  type Comparable = string | number | null;
  const keyOf: Record<string, (item: (typeof all)[number]) => Comparable> = {
    name: ({ name }) => name,
    price: ({ price }) => price,
    soldAt: ({ soldMicroseconds }) => soldMicroseconds,
    isNew: ({ isNew }) => Number(isNew),
    createdAt: ({ createdAt }) => createdAt.getTime(),
  };

  /** Sorts as documented: ties by id in the same direction, rows without a value last in either. */
  const expected = (
    by: string,
    direction: "asc" | "desc",
    fits: (item: (typeof all)[number]) => boolean = () => true,
  ): string[] => {
    const sign = direction === "asc" ? 1 : -1;
    const key = keyOf[by];
    if (!key) throw new Error(`there is no key ${by}`);
    return all
      .filter(fits)
      .toSorted((one, other) => {
        const [a, b] = [key(one), key(other)];
        if (a === b) return one.id < other.id ? -sign : sign;
        if (a === null) return 1;
        if (b === null) return -1;
        return a < b ? -sign : sign;
      })
      .map(({ id }) => id);
  };

  const filters: [Filter, (item: Item) => boolean][] = [
    [{}, () => true],
    [{ kind: "pen" }, ({ kind }) => kind === "pen"],
    [{ kind: "pen", isMeasured: true }, ({ kind }) => kind === "pen"],
    [{ kind: "none" }, () => false],
    [{ kind: "pen", shop: "shop1" }, ({ kind, shop }) => kind === "pen" && shop === "shop1"],
    [{ kindPart: "book" }, ({ kind }) => kind.includes("book")],
    [{ kindPart: "nothing" }, () => false],
    [{ term: "e 1" }, ({ name }) => name.includes("e 1")],
    [{ term: "e 1", isMeasured: true }, ({ name }) => name.includes("e 1")],
    [{ term: "7", kind: "book" }, ({ name, kind }) => name.includes("7") && kind === "book"],
    [{ cheaperThan: 0 }, ({ price }) => price !== null && price < 0],
  ];
  const orders = ["name", "price", "soldAt", "isNew"];

  test.each(filters)("pages of %j show each match once, in every order", async (filter, fits) => {
    for (const sortBy of orders)
      for (const sortDirection of directions) {
        const query = { ...filter, sortBy, sortDirection };
        const ids = expected(sortBy, sortDirection, fits);
        const whole = await list.read({ ...query, limit: 1_000 });
        expect(whole.rows.map(({ id }) => id)).toEqual(ids);
        expect(whole).toMatchObject({ total: ids.length });
        expect(whole).not.toHaveProperty("totalIsEstimate");
        expect(await walkPages(list.read, { ...query, limit: 7 })).toEqual(ids);
        const part = await list.read({ ...query, limit: 5, offset: 3 });
        expect(part.rows.map(({ id }) => id)).toEqual(ids.slice(3, 8));
        expect(part.total).toBe(ids.length);
      }
  });

  test("returns the selected columns only", async () => {
    const { rows } = await list.read({ limit: 1 });
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(columns.toSorted());
  });

  test("returns an empty page with the total for an offset beyond the end", async () => {
    for (const filter of [{}, { kind: "pen" }, { term: "name" }]) {
      const { total } = await list.read(filter);
      const page = await list.read({ ...filter, offset: 120 });
      expect(page).toStrictEqual({ rows: [], total });
    }
  });

  test("returns no cursor on the last page, even if it is full", async () => {
    expect(await list.read({ limit: 120 })).not.toHaveProperty("nextCursor");
    expect(await list.read({ limit: 119 })).toHaveProperty("nextCursor");
  });

  test("accepts the cursor of one filter in another, and rejects that of another order", async () => {
    const { nextCursor: cursor, rows } = await list.read({ limit: 60 });
    const last = rows.at(-1);
    const page = await list.read({ cursor, kind: "pen" });
    const pens = expected("name", "asc", ({ kind }) => kind === "pen");
    const isLater = ({ id, name }: Item) =>
      last !== undefined && (name > last.name || (name === last.name && id > last.id));
    expect(page.rows.map(({ id }) => id)).toEqual(
      pens.filter((id) => all.some((item) => item.id === id && isLater(item))),
    );
    for (const order of [{ sortBy: "price" }, { sortDirection: "desc" }] as const)
      await expect(list.read({ cursor, ...order })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        issues: [{ path: "cursor" }],
      });
  });

  test.each(["nothing", "constructor", "created_at"])(
    "rejects to sort by %s, which is no key",
    async (sortBy) => {
      await expect(list.read({ sortBy })).rejects.toMatchObject({
        issues: [{ path: "sortBy" }],
      });
    },
  );

  const at = (milliseconds: number) => new Date(Date.UTC(2030, 0, 1) + milliseconds);
  test.each<[Filter]>([
    [{}],
    [{ from: at(5) }],
    [{ until: at(18) }],
    [{ from: at(5), until: at(18) }],
    [{ from: at(18), until: at(5) }],
  ])("lists without a total within the bounds %j, also by the values of a lead", async (bounds) => {
    const read = (query: ListQuery<Filter>) => readUncounted(list.db, byTime, query);
    const within = ({ createdAt }: { createdAt: Date }) =>
      createdAt >= (bounds.from ?? at(0)) && createdAt < (bounds.until ?? at(1_000));
    for (const sortDirection of directions)
      for (const limit of [1, 7, 1_000])
        for (const kindPart of ["", "book", "none"])
          expect(await walkPages(read, { ...bounds, kindPart, sortDirection, limit })).toEqual(
            expected(
              "createdAt",
              sortDirection,
              (item) => within(item) && item.kind.includes(kindPart),
            ),
          );
  });

  describe("of one owner", () => {
    const read = (query: ListQuery<Filter>) =>
      readScopedList(list.db, ofShop, { ...query, owner: "shop1" });

    test.each<[Filter, (item: Item) => boolean]>([
      [{}, () => true],
      [{ kind: "pen" }, ({ kind }) => kind === "pen"],
      [{ kindPart: "book" }, ({ kind }) => kind.includes("book")],
      [{ kindPart: "nothing" }, () => false],
    ])("pages of %j show each match once, in every order", async (filter, fits) => {
      for (const sortBy of orders)
        for (const sortDirection of directions) {
          const query = { ...filter, sortBy, sortDirection };
          const ids = expected(
            sortBy,
            sortDirection,
            (item) => item.shop === "shop1" && fits(item),
          );
          expect(await walkPages(read, { ...query, limit: 3 })).toEqual(ids);
          expect(await read({ ...query, offset: 100 })).toEqual({ rows: [], total: ids.length });
        }
    });

    test("are undefined if there is no such owner", async () => {
      expect(await readScopedList(list.db, ofShop, { owner: "nowhere" })).toBeUndefined();
    });

    /** Attack: a member fills each connection's memory with prepared statements, by requests with all forms of filters. */
    test("prepares no statement for a filter", async () => {
      await list.db.connection().execute(async (db) => {
        const countPrepared = async () => {
          const { rows } = await sql<{ count: number }>`
            select count(*) as count from pg_prepared_statements`.execute(db);
          return rows[0]?.count;
        };
        await countPrepared();
        const before = await countPrepared();
        for (const filter of [{ kind: "pen" }, { kindPart: "book" }])
          await readScopedList(db, ofShop, { ...filter, owner: "shop1" });
        expect(await countPrepared()).toBe(before);
      });
    });
  });
});

test("pages show each row once while others are inserted and the last shown one is deleted", async () => {
  list = await openItems();
  try {
    for (const sortBy of ["name", "price", "soldAt"])
      for (const sortDirection of directions) {
        await sql`delete from ${table}`.execute(list.db);
        await insertFew(list.db, "old", 60);
        const query = { sortBy, sortDirection, limit: 7 };
        const before = await walkPages(list.read, query);
        let round = 0;
        const walked = await walkPages(list.read, query, async (lastId) => {
          round += 1;
          if (round === 2) await insertFew(list.db, "new", 20);
          if (round === 3) await sql`delete from ${table} where id = ${lastId}`.execute(list.db);
        });
        expect(walked.filter((id) => id.startsWith("old"))).toEqual(before);
        expect(new Set(walked).size).toBe(walked.length);
      }
  } finally {
    await list.close();
  }
});

test("reads rows and total from one snapshot during fast changes", async () => {
  list = await openItems();
  try {
    let isWriting = true;
    const write = async () => {
      for (let index = 0; index < 100; index += 1) await insertFew(list.db, `s${index}-`, 3);
      isWriting = false;
    };
    const read = async () => {
      while (isWriting)
        for (const filter of [{}, { term: "name" }]) {
          const { rows, total } = await list.read({ ...filter, limit: 1_000 });
          expect(total).toBe(rows.length);
        }
    };
    await Promise.all([write(), read(), read()]);
  } finally {
    await list.close();
  }
});

test("caches no query plan for the values of another filter", async () => {
  list = await openItems();
  try {
    await list.db.connection().execute(async (db) => {
      for (const term of ["a", "b", "c"])
        for (let time = 0; time < 3; time += 1) await readList(db, items, { term });
      const { rows } = await sql`
        select statement from pg_prepared_statements where statement like '%strpos%'
          and statement not like '%pg_prepared%'`.execute(db);
      expect(rows).toEqual([]);
    });
  } finally {
    await list.close();
  }
});
