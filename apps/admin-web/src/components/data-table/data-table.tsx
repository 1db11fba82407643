import { type ReactTable, useTable } from "@tanstack/react-table";
import { RefreshCw } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { ErrorState } from "../errors/error-state.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { ColumnMenu } from "./column-menu.tsx";
import type { DataTableProps } from "./data-table-props.ts";
import { features } from "./features.ts";
import { NoRows } from "./no-rows.tsx";
import { SearchBox } from "./search-box.tsx";
import { TableFooter } from "./table-footer.tsx";
import { TableHead } from "./table-head.tsx";
import { TableRows } from "./table-rows.tsx";
import { TableSkeleton } from "./table-skeleton.tsx";
import { useColumnVisibility } from "./use-column-visibility.ts";

type OwnTable<Row extends object> = ReactTable<typeof features, Row>;
type PartProps<Row extends object> = DataTableProps<Row> & { table: OwnTable<Row> };

const noRows: never[] = [];

const useDataTable = <Row extends object>(props: DataTableProps<Row>): OwnTable<Row> => {
  const { name, columns, page, rowId } = props;
  const [columnVisibility, onColumnVisibilityChange] = useColumnVisibility(name);
  const [chosen, onRowSelectionChange] = useState<Record<string, true>>({});
  const rows = page.data?.rows ?? noRows;
  // Deselects rows that are no longer on the page, because an action on them would be invisible.
  const rowSelection = useMemo(() => {
    const shown: Record<string, true> = {};
    for (const id of rows.map(rowId)) if (chosen[id]) shown[id] = true;
    return shown;
  }, [rows, rowId, chosen]);
  return useTable({
    features,
    columns,
    data: rows,
    getRowId: rowId,
    state: { columnVisibility, rowSelection },
    onColumnVisibilityChange,
    onRowSelectionChange,
  });
};

const Toolbar = <Row extends object>(props: PartProps<Row>) => {
  const { table, state, page, searchLabel, filters, actions } = props;
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2">
      {searchLabel !== undefined && (
        <SearchBox
          label={searchLabel}
          value={state.search.q ?? ""}
          onChange={(text) => state.change({ q: text || undefined })}
        />
      )}
      {filters}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <IconButton
          label="Refresh"
          disabled={page.isFetching}
          focusableWhenDisabled
          onClick={() => void page.refetch()}
        >
          <RefreshCw />
        </IconButton>
        <ColumnMenu table={table} />
        {actions}
      </div>
    </div>
  );
};

type ContentProps<Row extends object> = PartProps<Row> & {
  /** Moves the focus to the rows, or to where they will appear. */
  focusRows: () => void;
};

const Content = <Row extends object>(props: ContentProps<Row>) => {
  const { table, page, state, noun, bulkActions, rowLabel, onOpen, focusRows } = props;
  const hasSelection = (bulkActions?.length ?? 0) > 0;
  if (page.isError && !page.data)
    return (
      <ErrorState error={page.error} onRetry={() => void page.refetch()}>
        {state.search.cursor !== undefined && (
          <Button
            onClick={() => {
              focusRows();
              state.change({});
            }}
          >
            First page
          </Button>
        )}
      </ErrorState>
    );
  if (page.data?.rows.length === 0) return <NoRows {...props} onGo={focusRows} />;
  const columnCount = table.getVisibleLeafColumns().length + (hasSelection ? 1 : 0);
  return (
    <table
      aria-label={noun[1]}
      aria-busy={page.isFetching}
      className="w-full min-w-3xl table-fixed text-left"
    >
      <TableHead table={table} state={state} noun={noun} hasSelection={hasSelection} />
      {page.data ? (
        <TableRows {...{ table, rowLabel, onOpen, hasSelection }} />
      ) : (
        <TableSkeleton columnCount={columnCount} />
      )}
    </table>
  );
};

/**
 * A list that the server searches, filters, sorts and pages, at any length. Its state is in the address. It fills the given height,
 * so that nothing moves when rows arrive.
 */
export const DataTable = <Row extends object>(props: DataTableProps<Row>) => {
  const table = useDataTable(props);
  const body = useRef<HTMLDivElement>(null);
  const { page, state, noun } = props;
  return (
    <div className="flex min-h-80 flex-1 flex-col gap-3">
      <Toolbar {...props} table={table} />
      <StaleNotice reading={page} />
      <div className="flex min-h-0 flex-1 flex-col overflow-clip rounded-lg border bg-surface">
        <div
          ref={body}
          tabIndex={-1}
          // Clips absolutely positioned content of cells, such as text for screen readers, together with the cell.
          className={classNames(
            "relative min-h-0 flex-1",
            page.isPending ? "overflow-hidden" : "overflow-auto",
          )}
        >
          <Content {...props} table={table} focusRows={() => body.current?.focus()} />
        </div>
        <TableFooter
          page={page.data}
          state={state}
          noun={noun}
          selectedCount={Object.keys(table.state.rowSelection).length}
        >
          <BulkBar
            actions={props.bulkActions ?? noRows}
            rows={table.getSelectedRowModel().rows.map((row) => row.original)}
            noun={noun}
            rowLabel={props.rowLabel}
            focusAfter={body}
            onOver={(failed) =>
              table.setRowSelection(
                Object.fromEntries(failed.map((row) => [props.rowId(row), true])),
              )
            }
          />
        </TableFooter>
      </div>
    </div>
  );
};
