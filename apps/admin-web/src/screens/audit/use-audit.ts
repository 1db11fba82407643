import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { pageSize } from "../../components/data-table/page-of.ts";
import { type AuditPlace, placeText, readPlace } from "../../components/audit/audit-place.ts";
import type { AuditSearch } from "./audit-search.ts";
import type { AuditFilter } from "../../components/audit/alternatives-of.ts";
import { type AuditEntry, readAudit } from "../../components/audit/read-audit.ts";

interface AuditPage {
  rows: readonly AuditEntry[];
  nextCursor?: string;
}

const readPage = async (
  filter: AuditFilter,
  after: AuditPlace | undefined,
  signal: AbortSignal,
): Promise<AuditPage> => {
  const rows: AuditEntry[] = [];
  for await (const entry of readAudit({ filter, after, limit: pageSize, signal })) {
    const last = rows.at(-1);
    if (rows.length === pageSize && last) return { rows, nextCursor: placeText(last) };
    rows.push(entry);
  }
  return { rows };
};

/** Queries the page of the merged log that the address selects. */
export const useAudit = ({ cursor, entry: _, ...filter }: AuditSearch) =>
  useQuery(
    queryOptions({
      queryKey: ["operation", "audit", filter, cursor],
      queryFn: ({ signal }) =>
        readPage(filter, cursor === undefined ? undefined : readPlace(cursor), signal),
      placeholderData: keepPreviousData,
    }),
  );
