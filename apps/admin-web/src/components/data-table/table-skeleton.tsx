import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";

const rowCount = 20;

/** Shows placeholder rows of the same height as real rows. `columns` are the classes of their cells. */
export const TableSkeleton = ({ columns }: { columns: readonly string[] }) => (
  <tbody aria-hidden="true">
    {Array.from({ length: rowCount }, (_, row) => (
      <tr key={row} className="border-b bg-surface">
        {Array.from(columns, (style, column) => (
          <td key={column} className={`h-11 ${style}`}>
            <Skeleton />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
);
