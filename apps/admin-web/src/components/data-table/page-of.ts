import type { TableSearch } from "./table-search.ts";

/** The rows per page. */
export const pageSize = 50;

interface PageQuery<Sort> {
  limit: string;
  sortBy?: Sort;
  sortDirection?: "asc" | "desc";
  cursor?: string;
}

/** Returns the query for operations with `pageQuery`. If the operation has a sort enum, the search has a `sort` member too. */
export const pageOf = <Search extends TableSearch>({
  sort,
  dir,
  cursor,
}: Search): PageQuery<NonNullable<Search["sort"]>> => ({
  limit: String(pageSize),
  ...(sort !== undefined && { sortBy: sort }),
  ...(dir !== undefined && { sortDirection: dir }),
  ...(cursor !== undefined && { cursor }),
});
