import type { Deps } from "../deps.ts";
import { isSearch, isWellKnown } from "../rows/search-rules.ts";
import type { UserRow } from "../users/user-row.ts";
import type { ListPlace, ListRange } from "./list-range.ts";
import {
  estimateCount,
  gatherAndCount,
  listAndCount,
  listInOrder,
  type PlacedRow,
} from "./queries.ts";

/** Totals are exact up to this number. */
const exactTotalMax = 10_000;

/**
 * An estimate for one condition above which there are certainly more than `exactTotalMax` matches. The estimate uses a
 * thousand values of the column. With it, thirty of them match. With only ten thousand matches among a million users, ten
 * would.
 */
const certainlyManyFrom = 30_000;

export interface ListPage {
  users: UserRow[];
  /** The number of users that match all conditions. */
  total: number;
  totalIsEstimate: boolean;
  /** The start of the next page. Undefined on the last one. */
  next: ListPlace | undefined;
}

interface Total {
  total: number;
  totalIsEstimate: boolean;
}

const exactly = (total: number): Total => ({ total, totalIsEstimate: false });

const about = (estimate: number): Total => ({
  total: Math.max(estimate, exactTotalMax + 1),
  totalIsEstimate: true,
});

/** Queries read one row more than a page shows, which reveals whether there is a next page. */
const toPage = (rows: readonly PlacedRow[], { limit }: ListRange, total: Total): ListPage => {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    ...total,
    users: shown.map(({ placeKey: _, ...user }) => user),
    next: last && { key: last.placeKey, id: last.id },
  };
};

const withOneMore = (range: ListRange): ListRange => ({ ...range, limit: range.limit + 1 });

/**
 * Lists users with so many matches that the estimate is the total. Statistics may be outdated, so a first page with all
 * matches overrides them.
 */
const listMany = async (
  { db }: Pick<Deps, "db">,
  range: ListRange,
  estimate: number,
): Promise<ListPage> => {
  const rows = await listInOrder(db, withOneMore(range));
  const isWhole = range.after === undefined && range.offset === 0 && rows.length <= range.limit;
  return toPage(rows, range, isWhole ? exactly(rows.length) : about(estimate));
};

/** Counts and estimates concurrently, so that a list with many matches does not wait twice. */
const listCounted = async (
  { db }: Pick<Deps, "db">,
  range: ListRange,
  known?: number,
): Promise<ListPage> => {
  const [{ rows, count }, estimate] = await Promise.all([
    listAndCount(db, withOneMore(range), exactTotalMax + 1),
    known ?? estimateCount(db, range.conditions),
  ]);
  return toPage(rows, range, count <= exactTotalMax ? exactly(count) : about(estimate));
};

const listGathered = async (
  deps: Pick<Deps, "db">,
  range: ListRange,
  estimate: number,
): Promise<ListPage> => {
  const { rows, count } = await gatherAndCount(deps.db, withOneMore(range), exactTotalMax + 1);
  return count <= exactTotalMax
    ? toPage(rows, range, exactly(count))
    : listMany(deps, range, estimate);
};

/**
 * Returns a page of users and the number of matches. The planner's statistics decide how: few matches are collected and
 * sorted, while many are read in index order. Rows and an exact total come from one snapshot.
 */
export const listPage = async (deps: Pick<Deps, "db">, range: ListRange): Promise<ListPage> => {
  const { conditions } = range;
  const searches = conditions.some(isSearch);
  const isKnown = conditions.length === 1 && conditions.every(isWellKnown);
  if (!searches && !isKnown) return listCounted(deps, range);
  const estimate = await estimateCount(deps.db, conditions);
  if (estimate >= certainlyManyFrom)
    return isKnown ? listMany(deps, range, estimate) : listCounted(deps, range, estimate);
  return searches ? listGathered(deps, range, estimate) : listCounted(deps, range, estimate);
};
