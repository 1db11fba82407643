import { oneOf, type Searched, textParam } from "../search-param.ts";

/** The search params that all lists share. Invalid ones are dropped. */
export const tableSearch = {
  /** The search text. */
  q: textParam(255),
  sort: textParam(64),
  dir: oneOf("asc", "desc"),
  /** The cursor of the page. */
  cursor: textParam(1024),
};

export type TableSearch = Searched<typeof tableSearch>;

/** Sorts by the newest first, unless the address says otherwise. */
export const newestFirst = <Search extends TableSearch>(search: Search) => {
  const { sort = "createdAt", dir = sort === "createdAt" ? "desc" : "asc" } = search;
  return { ...search, sort: sort as NonNullable<Search["sort"]> | "createdAt", dir };
};
