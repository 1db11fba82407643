import { z } from "zod";

/** The search params that all lists share. Invalid ones are dropped. */
export const tableSearch = {
  /** The search text. */
  q: z.string().max(255).optional().catch(undefined),
  sort: z.string().max(64).optional().catch(undefined),
  dir: z.enum(["asc", "desc"]).optional().catch(undefined),
  /** The cursor of the page. */
  cursor: z.string().max(1024).optional().catch(undefined),
};

export type TableSearch = z.output<z.ZodObject<typeof tableSearch>>;

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
