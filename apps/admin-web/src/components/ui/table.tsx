import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface TableProps {
  /** The accessible name. */
  label: string;
  columns: readonly string[];
  /** Width classes of the first columns. With them, widths do not depend on the content, so nothing moves when it loads. */
  widths?: readonly string[] | undefined;
  /** Rows of `TableRow`. */
  children: ReactNode;
}

/** A short table without paging. Use `DataTable` for long lists. */
export const Table = ({ label, columns, widths, children }: TableProps) => (
  // Clips absolutely positioned content of cells, such as text for screen readers, together with the cell.
  <div className="relative overflow-x-auto">
    <table aria-label={label} className={classNames("w-full text-left", widths && "table-fixed")}>
      <thead>
        <tr className="border-b">
          {columns.map((column, index) => (
            <th
              key={column}
              scope="col"
              className={classNames("h-9 px-3 text-xs font-medium text-muted", widths?.[index])}
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export const TableRow = ({ cells }: { cells: Readonly<Record<string, ReactNode>> }) => (
  <tr className="border-b last:border-b-0">
    {Object.entries(cells).map(([column, cell]) => (
      <td key={column} className="h-11 px-3">
        {cell}
      </td>
    ))}
  </tr>
);
