import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useAccess } from "../../access/use-access.ts";
import { pageSize } from "../../components/data-table/page-of.ts";
import { placeText, readPlace } from "../../components/audit/audit-place.ts";
import type { AuditSearch } from "./audit-search.ts";
import { isAddressOrId } from "../../components/audit/alternatives-of.ts";
import { type AuditEntry, readAudit } from "../../components/audit/read-audit.ts";

type May = ReturnType<typeof useAccess>["may"];
type Range = Parameters<typeof readAudit>[0];

const { adminListUsers } = operations.identity;
const { adminListOrganizations } = operations.organization;

/** Few enough that their entries are found quickly. The best matches come first. */
const partiesMax = "20";

/** The name of an action, or its beginning up to the dot. */
const action = /^[a-z-]+\.[a-z-]*$/;

/** Returns the ids of the users and organizations that a text names. */
const findParties = async (may: May, q: string, signal: AbortSignal): Promise<string[]> => {
  const text = q.trim();
  if (text.length < 2 || action.test(text) || isAddressOrId(text)) return [];
  const limit = partiesMax;
  const [users, organizations] = await Promise.all([
    may("user:list")
      ? call(adminListUsers, { query: { searchField: "any", searchValue: text, limit } }, signal)
      : undefined,
    may("organization:list") && isOffered(adminListOrganizations)
      ? call(adminListOrganizations, { query: { searchValue: text, limit } }, signal)
      : undefined,
  ]);
  return [...(users?.users ?? []), ...(organizations?.organizations ?? [])].map(({ id }) => id);
};

/** Yields the entries of a filter, newest first, also those by and about users and organizations that its search names. */
export async function* readMatching(may: May, range: Range): AsyncGenerator<AuditEntry> {
  const parties = await findParties(may, range.filter.q ?? "", range.signal);
  yield* readAudit({ ...range, filter: { ...range.filter, parties } });
}

interface AuditPage {
  rows: readonly AuditEntry[];
  nextCursor?: string;
  /** The number of all entries that match. Only the first page has it. */
  total?: number;
  totalIsEstimate?: boolean;
}

const readPage = async (
  may: May,
  { filter, after, signal }: Pick<Range, "filter" | "after" | "signal">,
): Promise<AuditPage> => {
  const rows: AuditEntry[] = [];
  const totals: NonNullable<Range["totals"]> = [];
  const range = { filter, after, limit: pageSize, signal };
  for await (const entry of readMatching(may, { ...range, ...(!after && { totals }) })) {
    const last = rows.at(-1);
    if (rows.length === pageSize && last)
      return {
        rows,
        nextCursor: placeText(last),
        ...(!after && {
          total: totals.reduce((sum, { total }) => sum + total, 0),
          // Entries that match a search in several ways count more than once.
          totalIsEstimate: Boolean(filter.q) || totals.some(({ isEstimate }) => isEstimate),
        }),
      };
    rows.push(entry);
  }
  return { rows, ...(!after && { total: rows.length }) };
};

/** Queries the page of the merged log that the address selects. */
export const useAudit = ({ cursor, entry: _, ...filter }: AuditSearch) => {
  const { may } = useAccess();
  return useQuery(
    queryOptions({
      queryKey: ["operation", "audit", filter, cursor],
      queryFn: ({ signal }) =>
        readPage(may, {
          filter,
          after: cursor === undefined ? undefined : readPlace(cursor),
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
  );
};
