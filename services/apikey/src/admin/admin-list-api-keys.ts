import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, exactTotalMax, readPage, takePage } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwners } from "./find-owners.ts";
import {
  type CountedKeys,
  estimateCount,
  gather,
  type KeyRange,
  listAll,
  walk,
} from "./queries.ts";
import { showOwnedKey } from "./show-admin-key.ts";

type AdminListApiKeys = typeof operations.apikey.adminListApiKeys;

const countMax = exactTotalMax + 1;
/** If so many consecutive rows hold too few matches, sorting all matches is faster than continuing. */
const walkedMax = 20_000;

/**
 * Chooses the cheapest plan. Few matches among many rows are gathered and sorted. Many matches are found by scanning the index in its
 * order, unless they are far ahead in it.
 */
const list = async ({ db }: Pick<Deps, "db">, range: KeyRange): Promise<CountedKeys> => {
  const { userId, prefix, start, state } = range.filter;
  const isSearch = (userId ?? prefix ?? start ?? state) !== undefined;
  if (!isSearch) return listAll(db, range, countMax);
  const gathered = await gather(db, range, countMax);
  if (gathered.count < countMax) return gathered;
  const walked = await walk(db, range, walkedMax);
  if (walked.length === range.page.limit) return { rows: walked, count: countMax };
  return gather(db, range);
};

const total = async (
  { db }: Pick<Deps, "db">,
  range: KeyRange,
  count: number,
): Promise<{ total: number; totalIsEstimate?: boolean }> =>
  count < countMax
    ? { total: count }
    : { total: Math.max(await estimateCount(db, range), countMax), totalIsEstimate: true };

/**
 * Returns a page of all users' keys for admins, oldest first by default, each with its owner. A search matches a whole prefix or the
 * beginning of the first characters. Throws `VALIDATION_ERROR` for invalid limits and cursors.
 */
export const adminListApiKeys = async (
  deps: Pick<Deps, "clock" | "db" | "identity">,
  { query, caller }: Call<AdminListApiKeys>,
): Promise<Answer<OperationReply<AdminListApiKeys>>> => {
  const { sortDirection: direction = "asc", userId, state } = query;
  const page = readPage({ by: "createdAt", direction }, query);
  const [prefix, start] = [query.prefix || undefined, query.start || undefined];
  const filter = { userId, prefix, start, state, now: new Date(deps.clock()) };
  const range = { page: { ...page, limit: page.limit + 1 }, filter };
  const { rows, count } = await list(deps, range);
  const { shown, nextCursor } = takePage(page, rows, ({ createdAt }) => createdAt);
  const [owners, totals] = await Promise.all([
    findOwners(
      deps,
      caller,
      shown.map(({ userId }) => userId),
    ),
    total(deps, range, count),
  ]);
  return {
    reply: {
      apiKeys: shown.map((row) => showOwnedKey(row, owners)),
      ...totals,
      ...(nextCursor && { nextCursor }),
    },
  };
};
