import type { ReactNode } from "react";
import { Pagination } from "@latchkey/ui/components/pagination.tsx";
import type { TablePage } from "./data-table-props.ts";
import type { TableSearch } from "./table-search.ts";
import type { TableState } from "./use-table-search.ts";
import { t } from "../../texts.ts";
import { type RowKind, rowsText, totalText } from "./row-words.ts";

interface TableFooterProps {
  page: TablePage<unknown> | undefined;
  state: TableState<TableSearch>;
  rowKind: RowKind;
  selectedCount: number;
  /** The actions on the selected rows. */
  children: ReactNode;
}

/** Shows the number of rows and the buttons to other pages. */
export const TableFooter = (props: TableFooterProps) => {
  const { page, state, rowKind, selectedCount, children } = props;
  const nextCursor = page?.nextCursor;
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-t px-3">
      <p role="status" className="me-2 truncate text-muted">
        {page?.total !== undefined && totalText(page.total, rowKind, page.totalIsEstimate)}
        {selectedCount > 0 && t("table.selected", { count: selectedCount })}
      </p>
      {children}
      <div className="ms-auto">
        <Pagination
          label={rowsText(rowKind)}
          onPrevious={state.previous}
          onNext={nextCursor === undefined ? undefined : () => state.next(nextCursor)}
        />
      </div>
    </div>
  );
};
