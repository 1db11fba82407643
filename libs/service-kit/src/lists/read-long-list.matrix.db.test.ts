import { expectNoLeaks } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readScopedList } from "./read-list.ts";
import {
  directions,
  type Filter,
  ofShop,
  openItems,
  type OpenedItems,
  table,
  walkPages,
} from "./test-lists.fixture.ts";

expectNoLeaks("file");

let items: OpenedItems;

describe("with more rows than are counted", () => {
  const count = 45_000;
  /** The last fifteen thousand are red pens of one shop. One in 4,500 is rare. */
  beforeAll(async () => {
    items = await openItems();
    await sql`
      insert into ${table} (id, shop, kind, name, price, is_new, created_at)
      select 'i' || lpad(n::text, 6, '0'), case when n > 30000 then 'late' else 'early' end,
        case when n > 30000 then 'pen' else 'book' end,
        lpad((n / 9)::text, 6, '0') || case when n > 30000 then ' red' else ' blue' end
          || case when n % 4500 = 4499 then ' rare' else '' end,
        case when n % 2 = 0 then n % 10 end, false, timestamptz '2030-01-01'
      from generate_series(1, ${count}::int) as n`.execute(items.db);
    await sql`analyze ${table}`.execute(items.db);
  });
  afterAll(() => items.close());

  test.each<[Filter, number]>([
    [{}, count],
    [{ kind: "pen" }, 15_000],
    [{ kind: "book", isMeasured: true }, 30_000],
    [{ kindPart: "o" }, 30_000],
    [{ term: "blue" }, 30_000],
    [{ term: " ", isMeasured: true }, count],
    // The matches are beyond a scan from the start.
    [{ term: "red" }, 15_000],
    [{ term: "red", isMeasured: true }, 15_000],
    [{ term: "red", kind: "pen" }, 15_000],
    [{ shop: "late", kind: "pen" }, 15_000],
    [{ term: "rare", isMeasured: true }, 10],
    [{ term: "blue", kind: "pen" }, 0],
  ])("pages of %j show each match once", async (filter, matches) => {
    for (const sortDirection of directions) {
      const ids = await walkPages(items.read, { ...filter, sortDirection, limit: 1_000 });
      expect(ids).toHaveLength(matches);
      expect(ids).toEqual(sortDirection === "asc" ? ids.toSorted() : ids.toSorted().toReversed());
      const offset = Math.floor(matches * 0.7);
      const part = await items.read({ ...filter, sortDirection, offset, limit: 5 });
      expect(part.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 5));
    }
  });

  test("pages by a key without an index show each match of a search once", async () => {
    const ids = await walkPages(items.read, { term: "blue", sortBy: "price", limit: 1_000 });
    expect(new Set(ids).size).toBe(30_000);
  });

  test("returns exact totals up to ten thousand, and estimates above", async () => {
    for (const filter of [{}, { kind: "pen" }, { term: "red" }, { term: " ", isMeasured: true }]) {
      const { total, totalIsEstimate } = await items.read({ ...filter, limit: 1 });
      expect(totalIsEstimate).toBe(true);
      expect(total).toBeGreaterThan(10_000);
    }
    expect(await readScopedList(items.db, ofShop, { owner: "late", limit: 1 })).toMatchObject({
      total: 10_001,
      totalIsEstimate: true,
    });
    const rare = await items.read({ term: "rare", limit: 1 });
    expect(rare.total).toBe(10);
    expect(rare).not.toHaveProperty("totalIsEstimate");
  });

  test("trusts a first page with all matches more than outdated statistics", async () => {
    await sql`delete from ${table} where id > 'i000007'`.execute(items.db);
    for (const filter of [
      {},
      { term: " ", isMeasured: true },
      { kind: "book", isMeasured: true },
    ]) {
      const { rows, ...totals } = await items.read(filter);
      expect(rows).toHaveLength(7);
      expect(totals).toStrictEqual({ total: 7 });
    }
  });
});
