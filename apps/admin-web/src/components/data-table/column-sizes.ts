import type { ColumnPriority } from "@latchkey/ui/components/column-priority.ts";

/** The pixels of a step of the scale of widths: `w-40` is 40 steps. */
const step = 4;
const rem = 16;
/** Enough for a time, and for most names. */
const usualSize = 144;
/** The size of the first column in a table as wide as a phone, where it must leave room for the others. */
const narrowPinnedSize = 176;
/** The widths in rem for which `styles.css` has classes. */
const hidingMin = 20;
const hidingMax = 96;

/**
 * Returns the pixels of a width class. A column of `w-40` has this size. A column of `min-w-40` has at least this size, and like those without
 * a class it shares the remaining room of the table.
 */
export const sizeOf = (width: string | undefined): number => {
  const steps = /^(?:min-)?w-(\d+(?:\.5)?)$/.exec(width ?? "")?.[1];
  return steps === undefined ? usualSize : Number(steps) * step;
};

/** Returns whether a column of this width shares the remaining room. */
export const growsWith = (width: string | undefined): boolean => !width?.startsWith("w-");

export interface SizedColumn {
  readonly size: number;
  /** The columns that grow share the remaining room in equal parts. */
  readonly grows: boolean;
  readonly isPinned: boolean;
  /** Undefined if it is shown at any width. */
  readonly priority: ColumnPriority | undefined;
}

/** Returns the width in which each column has its size. All that grow become as wide as the widest of them. */
const widthOf = (columns: readonly SizedColumn[]): number => {
  const widest = Math.max(0, ...columns.filter(({ grows }) => grows).map(({ size }) => size));
  return columns.reduce((all, { size, grows }) => all + (grows ? widest : size), 0);
};

const priorities: readonly (ColumnPriority | undefined)[] = ["low", "medium", "high"];

/**
 * Returns the width of a table in rem below which each column has no room. Columns are hidden one at a time: those of low priority first, and
 * of one priority the last first. Undefined for a column that is shown at any width.
 */
export const hidingWidths = (columns: readonly SizedColumn[]): (number | undefined)[] => {
  const leaving = columns
    .map((column, place) => ({ place, rank: priorities.indexOf(column.priority) }))
    .filter(({ rank }) => rank !== -1)
    .toSorted((one, other) => one.rank - other.rank || other.place - one.place);
  const widths: (number | undefined)[] = columns.map(() => undefined);
  const hidden = new Set<number>();
  for (const { place } of leaving) {
    const shown = columns.filter((_, index) => !hidden.has(index));
    const width = Math.ceil(widthOf(shown) / rem);
    widths[place] = Math.min(Math.max(width, hidingMin), hidingMax);
    hidden.add(place);
  }
  return widths;
};

/** Returns the class that hides a column while its table is narrower than this, by a container query. */
export const hiddenBelow = (width: number): string => `@max-[${width}rem]/table:hidden`;

/** Returns the least widths of a table as values for styles. It scrolls when narrower, because columns would shrink to nothing. */
export const leastWidths = (columns: readonly SizedColumn[]) => {
  const essential = columns.filter(({ priority }) => priority === undefined);
  const narrow = essential.map((column) =>
    column.isPinned ? { ...column, size: narrowPinnedSize, grows: false } : column,
  );
  return {
    "--least": `${widthOf(essential) / rem}rem`,
    "--least-narrow": `${widthOf(narrow) / rem}rem`,
  };
};

/** Gives the first column its size in a narrow table. */
export const narrowPinnedStyle = "@max-lg/table:w-44";

/** Applies the least widths. */
export const leastWidthStyle = "min-w-(--least) @max-lg/table:min-w-(--least-narrow)";
