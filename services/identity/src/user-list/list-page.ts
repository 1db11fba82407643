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

/** Totals are exact up to here. */
const exactTotalMax = 10_000;

/**
 * An estimate of one condition from which there are more than `exactTotalMax`: it goes by a thousand values of the column,
 * of which thirty fit, and with ten thousand users who fit of a million it would be ten.
 */
const certainlyManyFrom = 30_000;

export interface ListPage {
  users: UserRow[];
  /** Of all that fit the conditions. */
  total: number;
  totalIsEstimate: boolean;
  /** Where the next page starts; undefined on the last one. */
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

/** One row more was asked for than is shown: it tells whether there is a next page. */
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

/** What so many fit that they need not be counted; statistics may be old, so a first page that holds all is believed. */
const listMany = async (
  { db }: Pick<Deps, "db">,
  range: ListRange,
  estimate: number,
): Promise<ListPage> => {
  const rows = await listInOrder(db, withOneMore(range));
  const isWhole = range.after === undefined && range.offset === 0 && rows.length <= range.limit;
  return toPage(rows, range, isWhole ? exactly(rows.length) : about(estimate));
};

/** Counted and estimated at once: who lists many does not wait for the estimate that they need besides. */
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
 * A page of users, and how many fit. Few who are searched for among many are gathered, many are met on the way through
 * their order: the planner's statistics say which they are. Rows and an exact total are of one moment.
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
