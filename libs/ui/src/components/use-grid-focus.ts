import { type RefObject, useEffect, useEffectEvent } from "react";
import {
  firstStopsOf,
  gridStopsOf,
  isControl,
  isStopOf,
  possibleStopsOf,
  takesKeys,
} from "./grid-stops.ts";
import { moveInGrid } from "./move-in-grid.ts";

interface GridUse {
  /** Opens a row of the body, on Enter outside of a control. */
  onOpen: (row: number) => void;
  /** Selects a row of the body, or deselects it, on `x`, and on Space if there is no preview. */
  onSelect: (row: number) => void;
  /** Shows a row of the body beside the table, on Space. */
  onPreview?: ((row: number) => void) | undefined;
}

/** Marks the cell whose stop gets the focus first. */
export const firstStopMark = "data-first-stop";

const setTabIndex = (element: HTMLElement, index: number): void => {
  // An observer follows changes, so that only real ones may be made.
  if (element.getAttribute("tabindex") !== String(index)) element.tabIndex = index;
};

/** The one stop of a table in the tab order. */
interface Reached {
  stop: HTMLElement | undefined;
  /** Whether the user has been there. */
  isChosen: boolean;
}

const firstStop = (table: HTMLTableElement): HTMLElement | undefined => {
  const stops = firstStopsOf(table);
  return stops.find((stop) => stop.closest(`[${firstStopMark}]`)) ?? stops[0];
};

/** Returns whether a stop stays in sight when the table scrolls sideways. */
const isPinned = (stop: Element): boolean => {
  const cell = stop.closest("td, th");
  return cell !== null && getComputedStyle(cell).position === "sticky";
};

/** Takes all stops but one out of the tab order. Chooses another one if the last has gone. */
const settle = (table: HTMLTableElement, reached: Reached): void => {
  if (!reached.isChosen || !reached.stop || !isStopOf(table, reached.stop)) {
    reached.stop = firstStop(table);
    reached.isChosen = false;
  }
  for (const stop of possibleStopsOf(table)) setTabIndex(stop, stop === reached.stop ? 0 : -1);
  // A cell whose controls are all hidden.
  if (reached.stop) setTabIndex(reached.stop, 0);
};

const pageRowsOf = (table: HTMLTableElement): number => {
  const height = table.tBodies[0]?.rows[0]?.offsetHeight ?? 0;
  const shown = table.parentElement?.clientHeight ?? 0;
  return height === 0 ? 1 : Math.max(1, Math.floor(shown / height) - 1);
};

/** Returns the index of the row of the body that contains the target. */
const bodyRowOf = (table: HTMLTableElement, target: Element): number => {
  const row = target.closest("tr");
  return [...(table.tBodies[0]?.rows ?? [])].findIndex((one) => one === row);
};

/** Runs the action of a key on a row. Returns whether there was one. */
const actOnRow = (row: number, event: KeyboardEvent, use: GridUse): boolean => {
  const target = event.target as Element;
  const isFree = !isControl(target);
  if (row === -1) return false;
  if (event.key === "Enter" && isFree) use.onOpen(row);
  else if (event.key === "x") use.onSelect(row);
  // A link does nothing on Space.
  else if (event.key === " " && (isFree || target.matches("a")))
    (use.onPreview ?? use.onSelect)(row);
  else return false;
  return true;
};

/** Keys that move between rows as the arrow keys do. They also lead into the table from a page without another focus. */
const rowKeys: Readonly<Record<string, string>> = { j: "ArrowDown", k: "ArrowUp" };

/**
 * Makes a table with the role `grid` usable by keyboard, as its ARIA pattern defines. Tab leads to one stop, and arrow keys lead to the
 * others. The content of cells needs no code for that.
 */
export const useGridFocus = (grid: RefObject<HTMLTableElement | null>, use: GridUse): void => {
  const act = useEffectEvent((table: HTMLTableElement, event: KeyboardEvent) =>
    actOnRow(bodyRowOf(table, event.target as Element), event, use),
  );
  useEffect(() => {
    const table = grid.current;
    if (!table) return undefined;
    const reached: Reached = { stop: undefined, isChosen: false };
    const settleAgain = () => settle(table, reached);
    const onFocus = ({ target }: FocusEvent) => {
      const stop = gridStopsOf(table)
        .flat(2)
        .find((one) => one === target);
      if (!stop) return;
      reached.stop = stop;
      reached.isChosen = true;
      settleAgain();
    };
    const onKey = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (!(target instanceof HTMLElement) || takesKeys(target) || altKey || shiftKey) return;
      const isFar = ctrlKey || metaKey;
      const to = moveInGrid(gridStopsOf(table), target, {
        key: isFar ? key : (rowKeys[key] ?? key),
        isFar,
        pageRows: pageRowsOf(table),
      });
      const hasActed = to === undefined && !isFar && act(table, event);
      if (to === undefined && !hasActed) return;
      event.preventDefault();
      // Buttons that open menus would otherwise open them on an arrow key.
      event.stopPropagation();
      if (!to) return;
      if (!to.hasAttribute("tabindex")) to.tabIndex = -1;
      to.focus();
      // The browser leaves a cell below the pinned ones if only a little of it is covered.
      if (!isPinned(to)) to.scrollIntoView({ block: "nearest", inline: "nearest" });
    };
    const onPageKey = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
      if (!(key in rowKeys) || altKey || ctrlKey || metaKey) return;
      if (target === document.body || (target instanceof Element && target.matches("main")))
        reached.stop?.focus();
    };
    settleAgain();
    const observer = new MutationObserver(settleAgain);
    const attributeFilter = ["tabindex", "disabled", "href"];
    observer.observe(table, { subtree: true, childList: true, attributes: true, attributeFilter });
    // Columns are hidden by width.
    const resized = new ResizeObserver(settleAgain);
    resized.observe(table);
    table.addEventListener("focusin", onFocus);
    table.addEventListener("keydown", onKey, { capture: true });
    window.addEventListener("keydown", onPageKey);
    return () => {
      observer.disconnect();
      resized.disconnect();
      table.removeEventListener("focusin", onFocus);
      table.removeEventListener("keydown", onKey, { capture: true });
      window.removeEventListener("keydown", onPageKey);
    };
  }, [grid]);
};
