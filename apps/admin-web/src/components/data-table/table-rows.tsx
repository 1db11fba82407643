import type { ReactTable, Row as TableRow } from "@tanstack/react-table";
import { type MouseEvent, useDeferredValue, useRef } from "react";
import { Checkbox } from "@latchkey/ui/components/checkbox.tsx";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { firstStopMark } from "@latchkey/ui/components/use-grid-focus.ts";
import { selectionStyle, type StyleOfColumn } from "./column-style.ts";
import type { features } from "./features.ts";

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
export const TableRows = <Row extends object>(props: TableRowsProps<Row>) => {
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
                  label={`Select ${rowLabel(row.original)}`}
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
