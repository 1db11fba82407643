import { createContext, type ReactNode, use } from "react";
import { classNames } from "./class-names.ts";
import {
  type ColumnPriority,
  hiddenWhenNarrow,
  markScrolled,
  pinnedEdgeStyle,
  pinnedStyle,
} from "./column-priority.ts";

/**
 * A column, by its name if it is never hidden. Hide no column that answers a question by itself, such as a state: nothing brings it
 * back, while the table scrolls sideways for the others.
 */
export type TableColumn =
  | string
  | {
      readonly name: string;
      /** Undefined if the column is never hidden. */
      readonly priority?: ColumnPriority;
      /** Shows the name to screen readers only. */
      readonly hidesName?: boolean;
      /** Its cells are numbers, which end below each other. */
      readonly isNumber?: boolean;
    };

interface TableProps {
  /** The accessible name. */
  label: string;
  /** The first one stays in sight when the table scrolls sideways. */
  columns: readonly TableColumn[];
  /** Width classes of the first columns. With them, widths do not depend on the content, so nothing moves when it loads. */
  widths?: readonly string[] | undefined;
  /** Rows of `TableRow`. */
  children: ReactNode;
}

const nameOf = (column: TableColumn): string => (typeof column === "string" ? column : column.name);

const styleOf = (column: TableColumn, index: number): string =>
  classNames(
    "px-3",
    index === 0 && [pinnedStyle, pinnedEdgeStyle, "start-0 @max-lg/table:max-w-44"],
    typeof column !== "string" && [
      column.priority && hiddenWhenNarrow[column.priority],
      column.isNumber && "text-end",
    ],
  );

/** The classes of the cells of a row, by column. */
const CellStyles = createContext<readonly string[]>([]);

/** Gives a part that is wider than its place a tab stop, so that the keyboard can scroll it. */
const followWidth = (part: HTMLElement | null): (() => void) | undefined => {
  if (!part) return undefined;
  const settle = () => {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  };
  const observer = new ResizeObserver(settle);
  for (const element of [part, ...part.children]) observer.observe(element);
  return () => observer.disconnect();
};

/** A short table without paging. Use `DataTable` for long lists. */
export const Table = ({ label, columns, widths, children }: TableProps) => {
  const styles = columns.map(styleOf);
  return (
    <div className="@container/table overflow-clip rounded-[inherit]">
      {/* Clips absolutely positioned content of cells, such as text for screen readers, together with the cell. */}
      <div
        ref={followWidth}
        onScroll={markScrolled}
        className="group/scroll relative scroll-ps-64 overflow-x-auto @max-lg/table:scroll-ps-44"
      >
        <table
          aria-label={label}
          className={classNames(
            "w-full text-start",
            widths && "min-w-2xl table-fixed @max-2xl/table:min-w-lg",
          )}
        >
          <thead>
            <tr className="border-b bg-surface">
              {columns.map((column, index) => (
                <th
                  key={nameOf(column)}
                  scope="col"
                  className={classNames(
                    "h-9 text-xs font-medium text-muted",
                    !(typeof column !== "string" && column.isNumber) && "text-start",
                    styles[index],
                    widths?.[index],
                    index === 0 && widths && "@max-lg/table:w-44",
                  )}
                >
                  <span
                    className={
                      typeof column !== "string" && column.hidesName ? "sr-only" : undefined
                    }
                  >
                    {nameOf(column)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <CellStyles value={styles}>{children}</CellStyles>
          </tbody>
        </table>
      </div>
    </div>
  );
};

export const TableRow = ({ cells }: { cells: Readonly<Record<string, ReactNode>> }) => {
  const styles = use(CellStyles);
  return (
    <tr className="border-b bg-surface last:border-b-0">
      {Object.entries(cells).map(([column, cell], index) => (
        <td key={column} className={classNames("h-11", styles[index] ?? "px-3")}>
          {cell}
        </td>
      ))}
    </tr>
  );
};
