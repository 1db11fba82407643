import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  type CursorTrail,
  nextPlace,
  previousPlace,
} from "@latchkey/ui/components/cursor-trail.ts";
import type { TableSearch } from "./table-search.ts";

declare module "@tanstack/history" {
  interface HistoryState {
    trail?: CursorTrail;
  }
}

/**
 * The search params of a list and the functions that change them. The trail of pages is in the browser's history state, not in the
 * address.
 */
export interface TableState<Search extends TableSearch> {
  readonly search: Search;
  /** Changes the search, filter or order, and returns to the first page. */
  change(patch: Partial<Search>): void;
  /** Opens or closes what lies over the list, such as a dialog or a drawer. The browser's "Back" closes it, too. */
  show(patch: Partial<Search>): void;
  next(cursor: string): void;
  /** Undefined on the first page. */
  readonly previous: (() => void) | undefined;
}

/** Returns the state of a list. `search` is the value that the route parsed from the address. */
export const useTableSearch = <Search extends TableSearch>(search: Search): TableState<Search> => {
  const navigate = useNavigate();
  const trail = useLocation().state.trail ?? [];
  const place = { cursor: search.cursor, trail };
  const go = (patch: Partial<TableSearch>, trail: CursorTrail, replace: boolean) => {
    // The cast is needed because only the caller knows on which route this is.
    const to = { to: ".", search: { ...search, ...patch }, state: { trail }, replace };
    void navigate(to as unknown as Parameters<typeof navigate>[0]);
  };
  const before = previousPlace(place);
  return {
    search,
    change: (patch) => go({ ...patch, cursor: undefined }, [], true),
    show: (patch) =>
      go(
        patch,
        trail,
        Object.values(patch).every((value) => value === undefined),
      ),
    next: (cursor) => {
      const after = nextPlace(place, cursor);
      go({ cursor: after.cursor }, after.trail, false);
    },
    previous: before && (() => go({ cursor: before.cursor }, before.trail, false)),
  };
};

/** Returns the state of a list beside another one, whose state is in the address. */
export const useSecondTable = (): TableState<TableSearch> => {
  const [{ search, trail }, setState] = useState<{ search: TableSearch; trail: CursorTrail }>({
    search: {},
    trail: [],
  });
  const place = { cursor: search.cursor, trail };
  const go = ({ cursor, trail: passed }: ReturnType<typeof nextPlace>) =>
    setState({ search: { ...search, cursor }, trail: passed });
  const before = previousPlace(place);
  return {
    search,
    change: (patch) => setState({ search: { ...search, ...patch, cursor: undefined }, trail: [] }),
    show: (patch) => setState({ search: { ...search, ...patch }, trail }),
    next: (cursor) => go(nextPlace(place, cursor)),
    previous: before && (() => go(before)),
  };
};
