import type { ReactTable, Header, Row as TableRow, Column } from "@tanstack/react-table";
import { type CSSProperties, useRef, type MouseEvent, useDeferredValue } from "react";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { useGridFocus, firstStopMark } from "@latchkey/ui/components/use-grid-focus.ts";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { Checkbox } from "@latchkey/ui/components/checkbox.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { headLine, pinnedEdgeStyle, pinnedStyle } from "@latchkey/ui/components/column-priority.ts";
import {
  leastWidths,
  leastWidthStyle,
  growsWith,
  hiddenBelow,
  hidingWidths,
  narrowPinnedStyle,
  type SizedColumn,
} from "./column-sizes.ts";
import type { DataTableProps } from "./data-table-props.ts";
import type { features } from "./features.ts";
import { columnMark } from "./column-menu.tsx";
import type { TableSearch } from "./table-search.ts";
import type { TableState } from "./use-table-search.ts";
import { t } from "../../texts.ts";
import { type RowKind, rowsText } from "./row-words.ts";

type OwnTable<Row extends object> = ReactTable<typeof features, Row>;
type OwnColumn<Row extends object> = Column<typeof features, Row>;

/** The cells of the column of checkboxes. */
const selectionStyle = classNames(pinnedStyle, "start-0 w-11 px-3");

const selectionColumn: SizedColumn = {
  size: 44,
  grows: false,
  isPinned: false,
  priority: undefined,
};

const isPinned = <Row extends object>(column: OwnColumn<Row>) => column.getIsPinned() === "start";

/** Returns when the width of the table hides a column: never if the user has chosen to see it. */
const priorityOf = <Row extends object>(table: OwnTable<Row>, column: OwnColumn<Row>) =>
  table.state.columnVisibility[column.id] ? undefined : column.columnDef.meta?.priority;

/** Returns the visible columns with what decides on their widths. */
const sizedColumns = <Row extends object>(
  table: OwnTable<Row>,
  hasSelection: boolean,
): (SizedColumn & { id?: string })[] => {
  const columns = table.getVisibleLeafColumns().map((column) => ({
    id: column.id,
    size: column.getSize(),
    grows: growsWith(column.columnDef.meta?.width),
    isPinned: isPinned(column),
    priority: priorityOf(table, column),
  }));
  return hasSelection ? [selectionColumn, ...columns] : columns;
};

/** Returns a function that returns the classes of the cells of a column, in the head and in the body. */
const columnStyles = <Row extends object>(table: OwnTable<Row>, hasSelection: boolean) => {
  const sized = sizedColumns(table, hasSelection);
  const widths = hidingWidths(sized);
  const hidingWidthOf = new Map(sized.map(({ id }, index) => [id, widths[index]]));
  return (column: OwnColumn<Row>): string => {
    const hidingWidth = hidingWidthOf.get(column.id);
    return classNames(
      "px-3",
      column.columnDef.meta?.isNumber && "text-end",
      column.columnDef.meta?.width,
      hidingWidth !== undefined && hiddenBelow(hidingWidth),
      isPinned(column) && [
        pinnedStyle,
        pinnedEdgeStyle,
        narrowPinnedStyle,
        hasSelection ? "start-11" : "start-0",
      ],
    );
  };
};

type StyleOfColumn<Row extends object> = (column: OwnColumn<Row>) => string;

const rowCount = 20;

/** Texts of a column differ in length. */
const lengths = ["w-3/4", "w-1/2", "w-2/3", "w-full", "w-3/5"];

/** Shows placeholder rows of the same height as real rows. `columns` are the classes of their cells. */
const TableSkeleton = ({ columns }: { columns: readonly string[] }) => (
  <tbody aria-hidden="true">
    {Array.from({ length: rowCount }, (_, row) => (
      <tr key={row} className="border-b bg-surface">
        {Array.from(columns, (style, column) => (
          <td key={column} className={`h-11 ${style}`}>
            <Skeleton className={lengths[(row * 3 + column * 2) % lengths.length]} />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
);

interface TableRowsProps<Row extends object> {
  table: ReactTable<typeof features, Row>;
  rowLabel: (row: Row) => string;
  onOpen?: ((row: Row) => void) | undefined;
  hasSelection: boolean;
  styleOf: StyleOfColumn<Row>;
}

/** Ignores clicks on links and controls inside a row, and on menus and dialogs that they open in a portal. */
const isOnControl = ({ target, currentTarget }: MouseEvent): boolean =>
  target instanceof Element &&
  (!currentTarget.contains(target) || target.closest("a, button, input") !== null);

type Point = Pick<MouseEvent, "clientX" | "clientY">;

const stillPx = 4;

/** Detects a drag that selects text, which also ends in a click. An earlier selection does not count. */
const hasSelected = (from: Point, to: Point): boolean =>
  Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) > stillPx &&
  getSelection()?.isCollapsed === false;

/** The rows that are rendered first: about as many as a laptop shows. */
const firstRows = 12;

/** The rows. `useGridFocus` moves the focus between their cells. */
const TableRows = <Row extends object>(props: TableRowsProps<Row>) => {
  const { table, rowLabel, onOpen, hasSelection, styleOf } = props;
  // The first screen is usable before the rows below it are rendered.
  const count = useDeferredValue(table.getRowModel().rows.length, firstRows);
  const pressed = useRef<Point>({ clientX: 0, clientY: 0 });
  const onClick = (event: MouseEvent, row: TableRow<typeof features, Row>) => {
    if (!isOnControl(event) && !hasSelected(pressed.current, event)) onOpen?.(row.original);
  };
  return (
    <tbody>
      {table
        .getRowModel()
        .rows.slice(0, count)
        .map((row) => (
          <tr
            key={row.id}
            onMouseDown={({ clientX, clientY }) => (pressed.current = { clientX, clientY })}
            onClick={(event) => onClick(event, row)}
            aria-selected={hasSelection ? row.getIsSelected() : undefined}
            className={classNames(
              "border-b bg-surface last:border-b-0 hover:bg-sunken aria-selected:bg-accent-soft",
              onOpen && "cursor-pointer",
            )}
          >
            {hasSelection && (
              <td className={classNames(selectionStyle, "h-11 -outline-offset-2")}>
                <Checkbox
                  label={t("table.selectRow", { name: rowLabel(row.original) })}
                  checked={row.getIsSelected()}
                  onCheckedChange={(checked) => row.toggleSelected(checked)}
                />
              </td>
            )}
            {row.getVisibleCells().map((cell) => (
              <td
                key={cell.id}
                {...(cell.column.getIsPinned() && { [firstStopMark]: "" })}
                className={classNames("h-11 truncate -outline-offset-2", styleOf(cell.column))}
              >
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
    </tbody>
  );
};

interface TableHeadProps<Row extends object> {
  table: ReactTable<typeof features, Row>;
  state: TableState<TableSearch>;
  rowKind: RowKind;
  hasSelection: boolean;
  styleOf: StyleOfColumn<Row>;
}

const arrows = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

const orderOf = ({ sort, dir }: TableSearch, by: string) => {
  if (sort !== by) return "none";
  return dir === "desc" ? "descending" : "ascending";
};

interface HeadCellProps<Row extends object> extends Pick<TableHeadProps<Row>, "state" | "styleOf"> {
  header: Header<typeof features, Row>;
}

const HeadCell = <Row extends object>({ header, state, styleOf }: HeadCellProps<Row>) => {
  const { column } = header;
  const { sortBy } = column.columnDef.meta ?? {};
  const text = String(column.columnDef.header);
  const cell = {
    scope: "col",
    [columnMark]: column.id,
    className: classNames(
      headLine,
      !column.columnDef.meta?.isNumber && "text-start",
      "text-xs font-medium text-muted -outline-offset-2",
      styleOf(column),
    ),
  };
  if (sortBy === undefined) return <th {...cell}>{text}</th>;
  const order = orderOf(state.search, sortBy);
  const Arrow = arrows[order];
  return (
    <th {...cell} aria-sort={order}>
      <button
        type="button"
        className="inline-flex h-9 items-center gap-1 rounded-sm hover:text-ink max-sm:h-10 [&_svg]:size-3.5"
        onClick={() => state.change({ sort: sortBy, dir: order === "ascending" ? "desc" : "asc" })}
      >
        {text}
        <Arrow aria-hidden="true" />
      </button>
    </th>
  );
};

const TableHead = <Row extends object>(props: TableHeadProps<Row>) => {
  const { table, state, rowKind, hasSelection, styleOf } = props;
  return (
    <thead className="sticky top-0 z-10">
      <tr className="bg-surface">
        {hasSelection && (
          <th scope="col" className={classNames(selectionStyle, headLine)}>
            <Checkbox
              label={t("table.selectAllRows", { rows: rowsText(rowKind) })}
              checked={table.getIsAllRowsSelected()}
              indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
              onCheckedChange={(checked) => table.toggleAllRowsSelected(checked)}
            />
          </th>
        )}
        {table.getHeaderGroups()[0]?.headers.map((header) => (
          <HeadCell key={header.id} header={header} {...{ state, styleOf }} />
        ))}
      </tr>
    </thead>
  );
};

interface GridProps<Row extends object> extends Pick<
  DataTableProps<Row>,
  "rows" | "page" | "state" | "bulkActions" | "rowLabel" | "onOpen" | "onPreview"
> {
  table: ReactTable<typeof features, Row>;
}

/** The head and the rows of a list, which are one stop of the Tab key. */
export const Grid = <Row extends object>(props: GridProps<Row>) => {
  const { table, page, state, rows: rowKind, bulkActions, rowLabel, onOpen, onPreview } = props;
  const hasSelection = (bulkActions?.length ?? 0) > 0;
  const grid = useRef<HTMLTableElement>(null);
  const rowAt = (index: number) => table.getRowModel().rows[index];
  useGridFocus(grid, {
    onOpen: (index) => {
      const row = rowAt(index);
      if (row) onOpen?.(row.original);
    },
    onSelect: (index) => hasSelection && rowAt(index)?.toggleSelected(),
    onPreview:
      onPreview &&
      ((index) => {
        const row = rowAt(index);
        if (row) onPreview(row.original);
      }),
  });
  const styleOf = columnStyles(table, hasSelection);
  const styles = table.getVisibleLeafColumns().map(styleOf);
  return (
    <table
      ref={grid}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- ARIA's pattern of a grid on a table
      role="grid"
      aria-label={rowsText(rowKind)}
      aria-busy={page.isFetching}
      aria-multiselectable={hasSelection || undefined}
      style={leastWidths(sizedColumns(table, hasSelection)) as CSSProperties} // its values are custom properties
      className={classNames("w-full table-fixed text-start", leastWidthStyle)}
    >
      <TableHead {...{ table, state, rowKind, hasSelection, styleOf }} />
      {page.data ? (
        <TableRows {...{ table, rowLabel, onOpen, hasSelection, styleOf }} />
      ) : (
        <TableSkeleton columns={hasSelection ? [selectionStyle, ...styles] : styles} />
      )}
    </table>
  );
};
