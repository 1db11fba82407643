import { Skeleton } from "../ui/skeleton.tsx";

const rowCount = 20;

/** Shows placeholder rows of the same height as real rows. */
export const TableSkeleton = ({ columnCount }: { columnCount: number }) => (
  <tbody aria-hidden="true">
    {Array.from({ length: rowCount }, (_, row) => (
      <tr key={row} className="border-b">
        {Array.from({ length: columnCount }, (_, column) => (
          <td key={column} className="h-11 px-3">
            <Skeleton />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
);
