import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, exactTotalMax, readPage, takePage } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  type CountedDeliveries,
  type DeliveryRange,
  estimateCount,
  gather,
  goesBeyond,
  listInOrder,
  walk,
} from "./queries.ts";

type AdminListDeliveries = typeof operations.mailer.adminListDeliveries;

const countMax = exactTotalMax + 1;
/** Rows to scan in order before sorting all matching rows becomes faster. */
const walkedMax = 20_000;

/** An estimate that guarantees more than `exactTotalMax` rows, despite the error of a sample of a thousand addresses. */
const certainlyManyFrom = 30_000;

/** Finds many matches by scanning in order, unless they occur only far behind. */
const listMany = async (db: Deps["db"], range: DeliveryRange): Promise<CountedDeliveries> => {
  const rows = await walk(db, range, walkedMax);
  const isWhole = rows.length === range.page.limit || !(await goesBeyond(db, range, walkedMax));
  return isWhole ? { rows, count: countMax } : gather(db, range);
};

/** Gathers few matches, and scans in order if the planner's statistics are certain that there are many. */
const search = async (
  db: Deps["db"],
  range: DeliveryRange,
  estimate: number,
): Promise<CountedDeliveries> => {
  if (estimate >= certainlyManyFrom) return listMany(db, range);
  const gathered = await gather(db, range, countMax);
  return gathered.count < countMax ? gathered : listMany(db, range);
};

type Listed = CountedDeliveries & { estimate: number };

/**
 * Lists without a count, for ranges that certainly have many rows. Statistics may be outdated, so a first page that is not full
 * determines the total.
 */
const listUncounted = async (db: Deps["db"], range: DeliveryRange): Promise<CountedDeliveries> => {
  const { page } = range;
  const { rows } = await listInOrder(db, range, 0);
  const isWhole = page.after === undefined && page.offset === 0 && rows.length < page.limit;
  return { rows, count: isWhole ? rows.length : countMax };
};

/** Counts and estimates concurrently, so that the estimate adds no delay. */
const listCounted = async (db: Deps["db"], range: DeliveryRange): Promise<Listed> => {
  const [listed, estimate] = await Promise.all([
    listInOrder(db, range, countMax),
    estimateCount(db, range),
  ]);
  return { ...listed, estimate };
};

/** Lists mails. Mails of one state are counted only if the planner's statistics are not certain that there are many. */
const list = async ({ db }: Pick<Deps, "db">, range: DeliveryRange): Promise<Listed> => {
  const { term, state } = range;
  if (term === undefined && state === undefined) return listCounted(db, range);
  const estimate = await estimateCount(db, range);
  if (term !== undefined) return { ...(await search(db, range, estimate)), estimate };
  const isMany = estimate >= certainlyManyFrom;
  const listed = isMany ? listUncounted(db, range) : listInOrder(db, range, countMax);
  return { ...(await listed), estimate };
};

/**
 * Returns a page of mails for admins, by default newest first. A search matches a part of the recipient's address. A term
 * without three consecutive letters or digits matches only the beginning. Throws `VALIDATION_ERROR` for an invalid limit,
 * offset or cursor.
 */
export const adminListDeliveries = async (
  deps: Pick<Deps, "db">,
  { query }: Call<AdminListDeliveries>,
): Promise<Answer<OperationReply<AdminListDeliveries>>> => {
  const { sortDirection: direction = "desc", state } = query;
  const page = readPage({ by: "createdAt", direction }, query);
  const range = {
    page: { ...page, limit: page.limit + 1 },
    term: query.recipient || undefined,
    recipient: query.recipientIs || undefined,
    state,
  };
  const { rows, count, estimate } = await list(deps, range);
  const { shown, nextCursor } = takePage(page, rows, ({ createdAt }) => createdAt);
  return {
    reply: {
      deliveries: shown,
      ...(count < countMax
        ? { total: count }
        : { total: Math.max(estimate, countMax), totalIsEstimate: true }),
      ...(nextCursor && { nextCursor }),
    },
  };
};
