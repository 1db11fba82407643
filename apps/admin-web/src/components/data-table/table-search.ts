import { z } from "zod";

/** The part of a list's address that all lists have. Members that cannot be read are left out. */
export const tableSearch = {
  /** What is searched for. */
  q: z.string().max(255).optional().catch(undefined),
  sort: z.string().max(64).optional().catch(undefined),
  dir: z.enum(["asc", "desc"]).optional().catch(undefined),
  /** The place in the list at which the page begins. */
  cursor: z.string().max(1024).optional().catch(undefined),
};

export type TableSearch = z.output<z.ZodObject<typeof tableSearch>>;

/** Rows of a page. */
export const pageSize = 50;

interface PageQuery<Sort> {
  limit: string;
  sortBy?: Sort;
  sortDirection?: "asc" | "desc";
  cursor?: string;
}

/** The page as operations with `pageQuery` are asked for it. Where they name what they sort by, the search says `sort` as an enum. */
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
