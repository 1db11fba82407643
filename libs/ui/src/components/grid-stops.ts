import type { GridStops } from "./move-in-grid.ts";

/** The controls that a cell may contain. Base UI's checkbox also has an input for forms, which is hidden. */
const controls =
  "a[href], button:not(:disabled), input:not(:disabled, [aria-hidden=true]), select, textarea, [role=checkbox]";

/** Keys have their own meaning inside these. */
const takingKeys = "input, select, textarea, [role=combobox], [contenteditable=true]";

export const takesKeys = (element: Element): boolean => element.matches(takingKeys);

export const isControl = (element: Element): boolean => element.matches(controls);

const isShown = (element: Element): boolean => element.checkVisibility();

const stopsOf = (cell: HTMLElement): HTMLElement[] => {
  const found = [...cell.querySelectorAll<HTMLElement>(controls)].filter(isShown);
  return found.length === 0 ? [cell] : found;
};

/** Returns the stops of a table by its rows and its visible cells. Placeholders have none. */
export const gridStopsOf = (table: HTMLTableElement): GridStops<HTMLElement> =>
  [...table.rows]
    .filter((row) => !row.closest("[aria-hidden=true]"))
    .map((row) => [...row.cells].filter(isShown).map(stopsOf));
