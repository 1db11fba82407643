import type { Header, ReactTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { Checkbox } from "../ui/checkbox.tsx";
import { classNames } from "../ui/class-names.ts";
import type { features } from "./features.ts";
import type { TableSearch } from "./table-search.ts";
import type { TableState } from "./use-table-search.ts";

interface TableHeadProps<Row extends object> {
  table: ReactTable<typeof features, Row>;
  state: TableState<TableSearch>;
  noun: readonly [one: string, many: string];
  hasSelection: boolean;
}

const arrows = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

const orderOf = ({ sort, dir }: TableSearch, by: string) => {
  if (sort !== by) return "none";
  return dir === "desc" ? "descending" : "ascending";
};

interface HeadCellProps<Row extends object> {
  header: Header<typeof features, Row>;
  state: TableState<TableSearch>;
}

const HeadCell = <Row extends object>({ header, state }: HeadCellProps<Row>) => {
  const { sortBy, width } = header.column.columnDef.meta ?? {};
  const text = String(header.column.columnDef.header);
  const style = classNames("h-9 px-3 text-xs font-medium text-muted", width);
  if (sortBy === undefined)
    return (
      <th scope="col" className={style}>
        {text}
      </th>
    );
  const order = orderOf(state.search, sortBy);
  const Arrow = arrows[order];
  return (
    <th scope="col" aria-sort={order} className={style}>
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
  const { table, state, noun, hasSelection } = props;
  return (
    <thead className="sticky top-0 z-10 bg-surface shadow-[inset_0_-1px_0_var(--color-line)]">
      <tr>
        {hasSelection && (
          <th scope="col" className="h-9 w-11 px-3">
            <Checkbox
              label={`Select all ${noun[1]} on this page`}
              checked={table.getIsAllRowsSelected()}
              indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
              onCheckedChange={(checked) => table.toggleAllRowsSelected(checked)}
            />
          </th>
        )}
        {table.getHeaderGroups()[0]?.headers.map((header) => (
          <HeadCell key={header.id} header={header} state={state} />
        ))}
      </tr>
    </thead>
  );
};
