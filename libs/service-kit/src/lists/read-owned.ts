import { type Kysely, sql } from "kysely";
import type { CompiledOnce, Slots } from "../database/compile-once.ts";
import { compileTogether } from "../database/compile-together.ts";
import { planAnew } from "../database/plan-anew.ts";
import type { AskedOwner, ScopedList } from "./list.ts";
import { type ListRange, type Placed, scanAndCount } from "./list-statements.ts";
import type { ListPage } from "./read-page.ts";

/** The rows of an owner to read. */
interface Asked {
  list: Pick<ScopedList<unknown, never>, "ownerColumn">;
  range: ListRange;
  owner: AskedOwner;
  countMax: number;
}

/** The values of a page, beside those of its owner. */
interface PageValues {
  limit: number;
  offset: number;
  key: string | null | undefined;
  id: string | undefined;
}

// Any database: a list names its schema and its tables.
type CompiledPage = CompiledOnce<any, PageValues, Placed>;

const compilePage = ({ list: { ownerColumn: column }, range, owner, countMax }: Asked) =>
  compileTogether<any, PageValues, Placed>(
    Object.fromEntries(Object.keys(owner.values).map((name) => [name, "text"])),
    (_: Kysely<any>, slots: Slots<PageValues>) => {
      const { limit, offset, key, id } = slots;
      const { order, after } = range.page;
      const place = after && { after: { key: after.key === null ? null : key, id } };
      const page = { order, limit, offset, ...place } as unknown as ListPage; // slots for its values
      const query = owner.query(slots as never); // its values are among these
      return scanAndCount({ ...range, page, owner: { column, query } }, countMax);
    },
  );

type CompiledPages = Map<string, CompiledPage>;

/** By the list, the query of the owner and the form of the page. */
const compiled = new WeakMap<Asked["list"], Map<AskedOwner["query"], CompiledPages>>();

/** There are few statements: one for each order and kind of place. */
const compiledPage = (asked: Asked): CompiledPage => {
  const { list, owner, range } = asked;
  const { order, after } = range.page;
  const form = JSON.stringify([order.by, order.direction, after && after.key === null]);
  const ofList = compiled.get(list) ?? new Map<AskedOwner["query"], CompiledPages>();
  const pages = ofList.get(owner.query) ?? new Map<string, CompiledPage>();
  const existingPage = pages.get(form);
  if (existingPage) return existingPage;
  const page = compilePage(asked);
  compiled.set(list, ofList.set(owner.query, pages.set(form, page)));
  return page;
};

/**
 * Reads rows of one owner with their count. A statement without a filter is prepared and compiled once. One with a filter is neither,
 * because a client could fill the memory with the hundreds of forms of its filters.
 */
export const readOwned = (db: Kysely<any>, asked: Asked): Promise<Placed[]> => {
  const { list, range, owner, countMax } = asked;
  if (range.conditions.length === 0) {
    const { limit, offset, after } = range.page;
    const values = { ...owner.values, limit, offset, key: after?.key, id: after?.id };
    return compiledPage(asked).rows(db, values);
  }
  const literals = Object.entries(owner.values).map(([name, value]) => [name, sql`${value}`]);
  const query = owner.query(Object.fromEntries(literals) as never); // in the places of slots
  const statement = scanAndCount(
    { ...range, owner: { column: list.ownerColumn, query } },
    countMax,
  );
  return planAnew(db, { compile: () => statement.compile(db) });
};
