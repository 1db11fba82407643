import type { Header, ReactTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { Checkbox } from "@latchkey/ui/components/checkbox.tsx";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { columnMark } from "./column-menu.tsx";
import { selectionStyle, type StyleOfColumn } from "./column-style.ts";
import type { features } from "./features.ts";
import type { TableSearch } from "./table-search.ts";
import type { TableState } from "./use-table-search.ts";

interface TableHeadProps<Row extends object> {
  table: ReactTable<typeof features, Row>;
  state: TableState<TableSearch>;
  noun: readonly [one: string, many: string];
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
    className: classNames("h-9 text-xs font-medium text-muted -outline-offset-2", styleOf(column)),
  };
  if (sortBy === undefined) return <th {...cell}>{text}</th>;
  const order = orderOf(state.search, sortBy);
  const Arrow = arrows[order];
  return (
    <th {...cell} aria-sort={order}>
      <button
        type="button"
        className="inline-flex items-center gap-1 rounded hover:text-ink [&_svg]:size-3.5"
        onClick={() => state.change({ sort: sortBy, dir: order === "ascending" ? "desc" : "asc" })}
      >
        {text}
        <Arrow aria-hidden="true" />
      </button>
    </th>
  );
};

export const TableHead = <Row extends object>(props: TableHeadProps<Row>) => {
  const { table, state, noun, hasSelection, styleOf } = props;
  return (
    <thead className="sticky top-0 z-10 bg-surface shadow-[inset_0_-1px_0_var(--color-line)]">
      <tr className="bg-surface">
        {hasSelection && (
          <th scope="col" className={classNames(selectionStyle, "h-9")}>
            <Checkbox
              label={`Select all ${noun[1]} on this page`}
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
