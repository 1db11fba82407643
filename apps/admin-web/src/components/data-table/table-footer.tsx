import type { ReactNode } from "react";
import { Pagination } from "@latchkey/ui/components/pagination.tsx";
import type { TablePage } from "./data-table-props.ts";
import type { TableSearch } from "./table-search.ts";
import { totalText } from "./total-text.ts";
import type { TableState } from "./use-table-search.ts";

interface TableFooterProps {
  page: TablePage<unknown> | undefined;
  state: TableState<TableSearch>;
  noun: readonly [one: string, many: string];
  selectedCount: number;
  /** The actions on the selected rows. */
  children: ReactNode;
}

/** Shows the number of rows and the buttons to other pages. */
export const TableFooter = (props: TableFooterProps) => {
  const { page, state, noun, selectedCount, children } = props;
  const nextCursor = page?.nextCursor;
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-t px-3">
      <p role="status" className="mr-2 truncate text-muted">
        {page?.total !== undefined && totalText(page.total, noun, page.totalIsEstimate)}
        {selectedCount > 0 && `, ${selectedCount} selected`}
      </p>
      {children}
      <div className="ml-auto">
        <Pagination
          label={noun[1]}
          onPrevious={state.previous}
          onNext={nextCursor === undefined ? undefined : () => state.next(nextCursor)}
        />
      </div>
    </div>
  );
};
