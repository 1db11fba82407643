import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, exactTotalMax, readPage, takePage } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { showOrganization } from "../organizations/show-organization.ts";
import {
  type CountedOrganizations,
  estimateCount,
  gather,
  type ListedOrganization,
  listInOrder,
  type OrganizationRange,
} from "./queries.ts";

type AdminListOrganizations = typeof operations.organization.adminListOrganizations;

const countMax = exactTotalMax + 1;

/**
 * Chooses the cheaper plan. Few matches among many rows are gathered and sorted. Many matches are found by scanning the index in its order.
 */
const list = async (
  { db }: Pick<Deps, "db">,
  range: OrganizationRange,
): Promise<CountedOrganizations> => {
  const gathered = range.term ? await gather(db, range, countMax) : undefined;
  return gathered && gathered.count < countMax ? gathered : listInOrder(db, range, countMax);
};

const show = ({
  memberCount,
  ...row
}: ListedOrganization): OperationReply<AdminListOrganizations>["organizations"][number] => ({
  ...showOrganization(row),
  memberCount,
});

const total = async (
  { db }: Pick<Deps, "db">,
  range: OrganizationRange,
  count: number,
): Promise<{ total: number; totalIsEstimate?: boolean }> =>
  count < countMax
    ? { total: count }
    : { total: Math.max(await estimateCount(db, range), countMax), totalIsEstimate: true };

/**
 * Returns a page of organizations for admins, oldest first by default. A search matches a part of the name or slug. A term without three
 * consecutive letters or digits matches only their beginning. Throws `VALIDATION_ERROR` for invalid limits and cursors.
 */
export const adminListOrganizations = async (
  deps: Pick<Deps, "db">,
  { query }: Call<AdminListOrganizations>,
): Promise<Answer<OperationReply<AdminListOrganizations>>> => {
  const { sortBy: by = "createdAt", sortDirection: direction = "asc", searchValue: term } = query;
  const page = readPage({ by, direction }, query);
  const range = { page: { ...page, limit: page.limit + 1 }, term };
  const { rows, count } = await list(deps, range);
  const { shown, nextCursor } = takePage(page, rows, ({ placeKey }) => placeKey);
  return {
    reply: {
      organizations: shown.map(show),
      ...(await total(deps, range, count)),
      ...(nextCursor && { nextCursor }),
    },
  };
};
