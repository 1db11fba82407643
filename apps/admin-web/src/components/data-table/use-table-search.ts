import { useLocation, useNavigate } from "@tanstack/react-router";
import { type CursorTrail, nextPlace, previousPlace } from "./cursor-trail.ts";
import type { TableSearch } from "./table-search.ts";

declare module "@tanstack/history" {
  interface HistoryState {
    trail?: CursorTrail;
  }
}

/** A list's address, and the ways to change it. The trail of pages is kept by the browser's history, beside the address. */
export interface TableState<Search extends TableSearch> {
  readonly search: Search;
  /** Searches, filters or sorts otherwise, from the first page on. */
  change(patch: Partial<Search>): void;
  next(cursor: string): void;
  /** Undefined on the first page. */
  readonly previous: (() => void) | undefined;
}

/** For a screen that shows a list: `search` is what its route has read from the address. */
export const useTableSearch = <Search extends TableSearch>(search: Search): TableState<Search> => {
  const navigate = useNavigate();
  const trail = useLocation().state.trail ?? [];
  const place = { cursor: search.cursor, trail };
  const go = (patch: Partial<TableSearch>, trail: CursorTrail, replace: boolean) => {
    // The address of the screen that is shown; which one that is, is known to its caller.
    const to = { to: ".", search: { ...search, ...patch }, state: { trail }, replace };
    void navigate(to as unknown as Parameters<typeof navigate>[0]);
  };
  const before = previousPlace(place);
  return {
    search,
    change: (patch) => go({ ...patch, cursor: undefined }, [], true),
    next: (cursor) => {
      const after = nextPlace(place, cursor);
      go({ cursor: after.cursor }, after.trail, false);
    },
    previous: before && (() => go({ cursor: before.cursor }, before.trail, false)),
  };
};
