import type { ReactTable, Row as TableRow } from "@tanstack/react-table";
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { Checkbox } from "../ui/checkbox.tsx";
import { classNames } from "../ui/class-names.ts";
import type { features } from "./features.ts";
import { rowMove } from "./row-key.ts";

interface TableRowsProps<Row extends object> {
  table: ReactTable<typeof features, Row>;
  rowLabel: (row: Row) => string;
  onOpen?: ((row: Row) => void) | undefined;
  hasSelection: boolean;
}

/** Ignores clicks on links and controls inside a row, and on menus and dialogs that they open in a portal. */
const isOnControl = ({ target, currentTarget }: MouseEvent): boolean =>
  target instanceof Element &&
  (!currentTarget.contains(target) || target.closest("a, button, input, [role=checkbox]") !== null);

type Point = Pick<MouseEvent, "clientX" | "clientY">;

const stillPx = 4;

/** Detects a drag that selects text, which also ends in a click. An earlier selection does not count. */
const hasSelected = (from: Point, to: Point): boolean =>
  Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) > stillPx &&
  getSelection()?.isCollapsed === false;

/** The rows. Only one of them is in the tab order; arrow keys move between them. */
export const TableRows = <Row extends object>(props: TableRowsProps<Row>) => {
  const { table, rowLabel, onOpen, hasSelection } = props;
  const { rows } = table.getRowModel();
  const [reached, setReached] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const pressed = useRef<Point>({ clientX: 0, clientY: 0 });
  const current = Math.min(reached, rows.length - 1);
  const onKey = (event: KeyboardEvent, row: TableRow<typeof features, Row>) => {
    if (event.target !== event.currentTarget) return;
    const move = rowMove(event.key, row.index, rows.length);
    if (move === undefined || (move === "select" && !hasSelection)) return;
    event.preventDefault();
    if (move === "open") onOpen?.(row.original);
    else if (move === "select") row.toggleSelected();
    else body.current?.querySelectorAll<HTMLElement>(":scope > tr")[move.to]?.focus();
  };
  const onClick = (event: MouseEvent, row: TableRow<typeof features, Row>) => {
    if (!isOnControl(event) && !hasSelected(pressed.current, event)) onOpen?.(row.original);
  };
  return (
    <tbody ref={body}>
      {rows.map((row) => (
        <tr
          key={row.id}
          tabIndex={row.index === current ? 0 : -1}
          onFocus={() => setReached(row.index)}
          onKeyDown={(event) => onKey(event, row)}
          onMouseDown={({ clientX, clientY }) => (pressed.current = { clientX, clientY })}
          onClick={(event) => onClick(event, row)}
          data-selected={row.getIsSelected() || undefined}
          className={classNames(
            "border-b -outline-offset-2 last:border-b-0 hover:bg-sunken data-selected:bg-accent-soft",
            onOpen && "cursor-pointer",
          )}
        >
          {hasSelection && (
            <td className="h-11 w-11 px-3">
              <Checkbox
                label={`Select ${rowLabel(row.original)}`}
                checked={row.getIsSelected()}
                onCheckedChange={(checked) => row.toggleSelected(checked)}
              />
            </td>
          )}
          {row.getVisibleCells().map((cell) => (
            <td key={cell.id} className="h-11 truncate px-3">
              <table.FlexRender cell={cell} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
};
