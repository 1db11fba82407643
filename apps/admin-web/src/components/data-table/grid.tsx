import type { ReactTable } from "@tanstack/react-table";
import { type CSSProperties, useRef } from "react";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { useGridFocus } from "@latchkey/ui/components/use-grid-focus.ts";
import { leastWidths, leastWidthStyle } from "./column-sizes.ts";
import { columnStyles, selectionStyle, sizedColumns } from "./column-style.ts";
import type { DataTableProps } from "./data-table-props.ts";
import type { features } from "./features.ts";
import { TableHead } from "./table-head.tsx";
import { TableRows } from "./table-rows.tsx";
import { TableSkeleton } from "./table-skeleton.tsx";

interface GridProps<Row extends object> extends Pick<
  DataTableProps<Row>,
  "noun" | "page" | "state" | "bulkActions" | "rowLabel" | "onOpen"
> {
  table: ReactTable<typeof features, Row>;
}

/** The head and the rows of a list, which are one stop of the Tab key. */
export const Grid = <Row extends object>(props: GridProps<Row>) => {
  const { table, page, state, noun, bulkActions, rowLabel, onOpen } = props;
  const hasSelection = (bulkActions?.length ?? 0) > 0;
  const grid = useRef<HTMLTableElement>(null);
  const rowAt = (index: number) => table.getRowModel().rows[index];
  useGridFocus(grid, {
    onOpen: (index) => {
      const row = rowAt(index);
      if (row) onOpen?.(row.original);
    },
    onSelect: (index) => hasSelection && rowAt(index)?.toggleSelected(),
  });
  const styleOf = columnStyles(table, hasSelection);
  const styles = table.getVisibleLeafColumns().map(styleOf);
  return (
    <table
      ref={grid}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- ARIA's pattern of a grid on a table
      role="grid"
      aria-label={noun[1]}
      aria-busy={page.isFetching}
      aria-multiselectable={hasSelection || undefined}
      style={leastWidths(sizedColumns(table, hasSelection)) as CSSProperties} // its values are custom properties
      className={classNames("w-full table-fixed text-left", leastWidthStyle)}
    >
      <TableHead {...{ table, state, noun, hasSelection, styleOf }} />
      {page.data ? (
        <TableRows {...{ table, rowLabel, onOpen, hasSelection, styleOf }} />
      ) : (
        <TableSkeleton columns={hasSelection ? [selectionStyle, ...styles] : styles} />
      )}
    </table>
  );
};
