/** How long a column stays when its table gets narrow. Columns without a priority are never hidden. */
export type ColumnPriority = "high" | "medium" | "low";

/** Hides a column by the width of its table, not of the window: tables are also in tabs, and pages are zoomed. */
export const hiddenWhenNarrow: Readonly<Record<ColumnPriority, string>> = {
  low: "@max-4xl/table:hidden",
  medium: "@max-2xl/table:hidden",
  high: "@max-lg/table:hidden",
};

/** Keeps a cell of the first column in sight while the others scroll sideways below it. */
export const pinnedStyle = "sticky z-[1] bg-inherit";

/** Separates the first column from what scrolls below it. */
export const pinnedEdgeStyle =
  "group-data-scrolled/scroll:shadow-[inset_-1px_0_0_var(--color-line)] rtl:group-data-scrolled/scroll:shadow-[inset_1px_0_0_var(--color-line)]";

/** A cell of a head that stays in sight, with a line below. A border would not stay with it. */
export const headLine =
  "h-9 bg-[linear-gradient(var(--color-line),var(--color-line))] bg-size-[100%_1px] bg-bottom bg-no-repeat";

/** Marks an element as scrolled sideways, so that styles can show it. */
export const markScrolled = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
  if (currentTarget.scrollLeft !== 0) currentTarget.dataset["scrolled"] = "";
  else delete currentTarget.dataset["scrolled"];
};
