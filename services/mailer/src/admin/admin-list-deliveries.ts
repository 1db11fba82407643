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
/** Where so many in a row hold too few, sorting all that fit is quicker than going on. */
const walkedMax = 20_000;

/** An estimate from which there are more than `exactTotalMax`, however few of a thousand addresses it goes by. */
const certainlyManyFrom = 30_000;

/** Many are met on the way through their order, unless they lie far ahead in it. */
const listMany = async (db: Deps["db"], range: DeliveryRange): Promise<CountedDeliveries> => {
  const rows = await walk(db, range, walkedMax);
  const isWhole = rows.length === range.page.limit || !(await goesBeyond(db, range, walkedMax));
  return isWhole ? { rows, count: countMax } : gather(db, range);
};

/** Few that are searched for among many are gathered; the planner's statistics say where there are many for certain. */
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

/** What so many fit that they need not be counted; statistics may be old, so a first page that holds all is believed. */
const listUncounted = async (db: Deps["db"], range: DeliveryRange): Promise<CountedDeliveries> => {
  const { page } = range;
  const { rows } = await listInOrder(db, range, 0);
  const isWhole = page.after === undefined && page.offset === 0 && rows.length < page.limit;
  return { rows, count: isWhole ? rows.length : countMax };
};

/** Counted and estimated at once: who lists many does not wait for the estimate besides. */
const listCounted = async (db: Deps["db"], range: DeliveryRange): Promise<Listed> => {
  const [listed, estimate] = await Promise.all([
    listInOrder(db, range, countMax),
    estimateCount(db, range),
  ]);
  return { ...listed, estimate };
};

/** What is asked for by its state is counted only where the planner's statistics do not say that there are many for certain. */
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
 * A page of mails for admins, the last one first unless asked otherwise. A search is for a part of the recipient's address; a
 * term without three letters or digits in a row is looked for at its beginning only. Throws `VALIDATION_ERROR` for amounts and
 * cursors that are none.
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
