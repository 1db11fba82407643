import type { GridStops } from "./move-in-grid.ts";

/** The controls that a cell may contain. */
const controls = "a[href], button:not(:disabled), input:not(:disabled), select, textarea";

/** Keys have their own meaning inside these. */
const takingKeys =
  "input:not([type=checkbox]), select, textarea, [role=combobox], [contenteditable=true]";

export const takesKeys = (element: Element): boolean => element.matches(takingKeys);

export const isControl = (element: Element): boolean => element.matches(controls);

const isShown = (element: Element): boolean => element.checkVisibility();

const stopsOf = (cell: HTMLElement): HTMLElement[] => {
  const focusable = [...cell.querySelectorAll<HTMLElement>(controls)].filter(isShown);
  return focusable.length === 0 ? [cell] : focusable;
};

const rowsOf = (table: HTMLTableElement): HTMLTableRowElement[] =>
  [...table.rows].filter((row) => !row.closest("[aria-hidden=true]"));

const stopsOfRow = (row: HTMLTableRowElement): HTMLElement[][] =>
  [...row.cells].filter(isShown).map(stopsOf);

/** Returns the stops of a table by its rows and its visible cells. Placeholders have none. */
export const gridStopsOf = (table: HTMLTableElement): GridStops<HTMLElement> =>
  rowsOf(table).map(stopsOfRow);

/** Returns the stops of the first row of the body, or of the head if the body has none. */
export const firstStopsOf = (table: HTMLTableElement): HTMLElement[] => {
  const rows = rowsOf(table);
  const first = rows[table.tHead?.rows.length ?? 0] ?? rows[0];
  return first ? stopsOfRow(first).flat() : [];
};

/** Whether an element of a table can be reached. */
export const isStopOf = (table: HTMLTableElement, element: HTMLElement): boolean =>
  table.contains(element) && isShown(element);

/**
 * Returns everything in a table that may be a stop, visible or not. It does not ask what is visible, which would lay out the page for
 * each cell.
 */
export const possibleStopsOf = (table: HTMLTableElement): HTMLElement[] => {
  const focusable = [...table.querySelectorAll<HTMLElement>(controls)];
  const occupied = new Set(focusable.map((control) => control.closest("td, th")));
  const cells = rowsOf(table).flatMap((row) => Array.from(row.cells));
  return [...focusable, ...cells.filter((cell) => !occupied.has(cell))];
};
