import type { Column, ReactTable } from "@tanstack/react-table";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { pinnedEdgeStyle, pinnedStyle } from "@latchkey/ui/components/column-priority.ts";
import { hiddenBelow, hidingWidths, narrowPinnedStyle, type SizedColumn } from "./column-sizes.ts";
import type { features } from "./features.ts";

type OwnTable<Row extends object> = ReactTable<typeof features, Row>;
type OwnColumn<Row extends object> = Column<typeof features, Row>;

/** The cells of the column of checkboxes. */
export const selectionStyle = classNames(pinnedStyle, "left-0 w-11 px-3");

const selectionColumn: SizedColumn = { size: 44, isPinned: false, priority: undefined };

const isPinned = <Row extends object>(column: OwnColumn<Row>) => column.getIsPinned() === "start";

/** Returns when the width of the table hides a column: never if the user has chosen to see it. */
const priorityOf = <Row extends object>(table: OwnTable<Row>, column: OwnColumn<Row>) =>
  table.state.columnVisibility[column.id] ? undefined : column.columnDef.meta?.priority;

/** Returns the visible columns with what decides on their widths. */
export const sizedColumns = <Row extends object>(
  table: OwnTable<Row>,
  hasSelection: boolean,
): SizedColumn[] => {
  const columns = table.getVisibleLeafColumns().map((column) => ({
    size: column.getSize(),
    isPinned: isPinned(column),
    priority: priorityOf(table, column),
  }));
  return hasSelection ? [selectionColumn, ...columns] : columns;
};

/** Returns a function that returns the classes of the cells of a column, in the head and in the body. */
export const columnStyles = <Row extends object>(table: OwnTable<Row>, hasSelection: boolean) => {
  const widths = hidingWidths(sizedColumns(table, hasSelection));
  return (column: OwnColumn<Row>): string => {
    const priority = priorityOf(table, column);
    return classNames(
      "px-3",
      column.columnDef.meta?.width,
      priority && hiddenBelow(widths[priority]),
      isPinned(column) && [
        pinnedStyle,
        pinnedEdgeStyle,
        narrowPinnedStyle,
        hasSelection ? "left-11" : "left-0",
      ],
    );
  };
};

export type StyleOfColumn<Row extends object> = (column: OwnColumn<Row>) => string;
