import type { ReactNode } from "react";

interface TableProps {
  /** The accessible name. */
  label: string;
  columns: readonly string[];
  /** Rows of `TableRow`. */
  children: ReactNode;
}

/** A short table without paging; long lists are a `DataTable`. */
export const Table = ({ label, columns, children }: TableProps) => (
  <div className="overflow-x-auto">
    <table aria-label={label} className="w-full text-left">
      <thead>
        <tr className="border-b">
          {columns.map((column) => (
            <th key={column} scope="col" className="h-9 px-3 text-xs font-medium text-muted">
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
