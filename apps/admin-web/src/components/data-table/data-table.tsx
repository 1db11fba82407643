import { type ReactTable, useTable } from "@tanstack/react-table";
import { RefreshCw } from "lucide-react";
import { type RefObject, useMemo, useRef, useState, type ReactNode } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { markScrolled } from "@latchkey/ui/components/column-priority.ts";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { ErrorState } from "../errors/error-state.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { ExportButton } from "../export/export-button.tsx";
import { useScrollMemory } from "../kept/use-scroll-memory.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { useColumnVisibility } from "./use-column-visibility.ts";
import { sizeOf } from "./column-sizes.ts";
import type { BulkAction, DataTableProps } from "./data-table-props.ts";
import { features } from "./features.ts";
import { Grid } from "./grid.tsx";
import { SearchBox } from "@latchkey/ui/components/search-box.tsx";
import { SelectAll, useAllMatches } from "./select-all.tsx";
import { TableFooter } from "./table-footer.tsx";
import type { BulkDialogsProps } from "./bulk-dialogs.tsx";
import type { TableSearch } from "./table-search.ts";
import type { TableState } from "./use-table-search.ts";
import { t } from "../../texts.ts";
import { type RowKind, rowsText } from "./row-words.ts";

interface NoRowsProps {
  state: TableState<TableSearch>;
  isFiltered?: boolean | undefined;
  /** Shown if the list has no rows at all. */
  empty: ReactNode;
  /** Called before a focused button here is removed. */
  onGo: () => void;
}

/** Explains why there are no rows and offers a way to show some. */
const NoRows = ({ state, isFiltered, empty, onGo }: NoRowsProps) => {
  const { q, cursor } = state.search;
  const goButton = (label: string, patch: Partial<TableSearch>) => (
    <Button
      onClick={() => {
        onGo();
        state.change(patch);
      }}
    >
      {label}
    </Button>
  );
  if (cursor !== undefined)
    return (
      <EmptyState title={t("table.emptyPage")} action={goButton(t("table.firstPage"), {})}>
        {t("table.emptyPageText")}
      </EmptyState>
    );
  if (q === undefined && !isFiltered) return empty;
  return (
    <EmptyState
      title={t("ui.noResultsTitle")}
      action={q !== undefined && goButton(t("table.clearSearch"), { q: undefined })}
    >
      {t("table.noResultsText")}
    </EmptyState>
  );
};

const BulkDialogs = lazyDialog(
  async () => (await import("./bulk-dialogs.tsx")).BulkDialogs<object>,
) as <Row extends object>(props: BulkDialogsProps<Row>) => ReactNode; // a component with any rows

interface BulkBarProps<Row extends object> {
  actions: readonly BulkAction<Row>[];
  rows: readonly Row[];
  rowKind: RowKind;
  rowLabel: (row: Row) => string;
  /** Gets the focus when the action is over: the button that started it may no longer exist. */
  focusAfter: RefObject<HTMLElement | null>;
  /** Receives the rows whose action failed. Those on this page stay selected. */
  onOver: (failed: readonly Row[]) => void;
}

/** Offers the actions on the selected rows. Asks for confirmation, runs the action, and reports the outcome per row. */
const BulkBar = <Row extends object>({ actions, ...rest }: BulkBarProps<Row>) => {
  const [chosenAction, setChosenAction] = useState<BulkAction<Row>>();
  return (
    <>
      {rest.rows.length > 0 &&
        actions.map((action) => (
          <Button
            key={action.label}
            size="small"
            kind={action.isDangerous ? "danger" : "secondary"}
            onClick={() => setChosenAction(action)}
          >
            {action.label}
          </Button>
        ))}
      <BulkDialogs
        {...rest}
        asked={chosenAction}
        isOpen={chosenAction !== undefined}
        onOpenChange={() => setChosenAction(undefined)}
      />
    </>
  );
};

const noRows: never[] = [];

type OwnTable<Row extends object> = ReactTable<typeof features, Row>;
type PartProps<Row extends object> = DataTableProps<Row> & { table: OwnTable<Row> };

/** Every column declares an id, or is an accessor of a member of that name. */
const idOfColumn = (column: { id?: string; accessorKey?: unknown }): string =>
  column.id ?? String(column.accessorKey);

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
  const sized = useMemo(
    () => columns.map((column) => ({ ...column, size: sizeOf(column.meta?.width) })),
    [columns],
  );
  const columnPinning = useMemo(
    () => ({ start: columns.slice(0, 1).map(idOfColumn), end: [] }),
    [columns],
  );
  return useTable({
    features,
    columns: sized,
    data: rows,
    getRowId: rowId,
    state: { columnVisibility, columnPinning, rowSelection },
    onColumnVisibilityChange,
    onRowSelectionChange,
  });
};

type ToolbarProps<Row extends object> = PartProps<Row> & { around: RefObject<HTMLElement | null> };

const Toolbar = <Row extends object>(props: ToolbarProps<Row>) => {
  const { table, around, state, page, searchLabel, searchHint, filters, exported, actions } = props;
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2">
      {searchLabel !== undefined && (
        <SearchBox
          label={searchLabel}
          hint={searchHint}
          value={state.search.q ?? ""}
          onChange={(text) => state.change({ q: text || undefined })}
        />
      )}
      {filters && (
        // The last line on a phone, which scrolls.
        <div className="flex flex-wrap items-center gap-1.5 max-sm:order-last max-sm:w-full max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:p-0.5 max-sm:*:shrink-0">
          {filters}
        </div>
      )}
      <div className="ms-auto flex flex-wrap items-center gap-1">
        <IconButton
          label={t("common.refresh")}
          disabled={page.isFetching}
          focusableWhenDisabled
          onClick={() => void page.refetch()}
        >
          <RefreshCw />
        </IconButton>
        <ColumnMenu table={table} around={around} />
        {exported && (
          <ExportButton
            title={t("exports.title", { rows: rowsText(props.rows) })}
            exported={exported}
            rowKind={props.rows}
            total={page.data?.totalIsEstimate ? undefined : page.data?.total}
          >
            {t("exports.text", { rows: rowsText(props.rows) })}
          </ExportButton>
        )}
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
  const { page, state, focusRows } = props;
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
            {t("table.firstPage")}
          </Button>
        )}
      </ErrorState>
    );
  if (page.data?.rows.length === 0) return <NoRows {...props} onGo={focusRows} />;
  return <Grid {...props} />;
};

/**
 * A list that the server searches, filters, sorts and pages, at any length. Its state is in the address. It fills the given height,
 * so that nothing moves when rows arrive.
 */
export const DataTable = <Row extends object>(props: DataTableProps<Row>) => {
  const table = useDataTable(props);
  const body = useRef<HTMLDivElement>(null);
  const { q, sort, dir, cursor } = props.state.search;
  useScrollMemory(body, props.name, JSON.stringify([q, sort, dir, cursor]));
  const { page, state, rows: rowKind } = props;
  const hasBulk = (props.bulkActions?.length ?? 0) > 0;
  const isPageSelected = table.getIsAllRowsSelected();
  const matches = useAllMatches(
    hasBulk ? props.exported?.pages : undefined,
    JSON.stringify(state.search),
    isPageSelected,
  );
  const onPage = table.getSelectedRowModel().rows.map((row) => row.original);
  const selected = matches.rows ?? onPage;
  return (
    <div className="flex flex-1 flex-col gap-3">
      <Toolbar {...props} table={table} around={body} />
      <StaleNotice reading={page} />
      <div className="@container/table flex flex-1 flex-col overflow-clip rounded-lg border bg-surface">
        <div
          ref={body}
          tabIndex={-1}
          onScroll={markScrolled}
          // Clips absolutely positioned content of cells, such as text for screen readers, together with the cell.
          // Its own height does not count, so that some rows stay in sight below a toolbar that fills a low window.
          // The padding keeps a cell with the focus beside the cells that stay in sight, and not below them.
          className={classNames(
            "group/scroll relative min-h-56 flex-1 scroll-pt-9 contain-size scroll-ps-84 @max-lg/table:scroll-ps-55",
            page.isPending ? "overflow-hidden" : "overflow-auto",
          )}
        >
          <Content {...props} table={table} focusRows={() => body.current?.focus()} />
        </div>
        <TableFooter
          page={page.data}
          state={state}
          rowKind={rowKind}
          selectedCount={selected.length}
        >
          {hasBulk && isPageSelected && <SelectAll {...{ matches, page: page.data, rowKind }} />}
          <BulkBar
            actions={props.bulkActions ?? noRows}
            rows={selected}
            rowKind={rowKind}
            rowLabel={props.rowLabel}
            focusAfter={body}
            onOver={(failed) => {
              matches.clear();
              table.setRowSelection(
                Object.fromEntries(failed.map((row) => [props.rowId(row), true])),
              );
            }}
          />
        </TableFooter>
      </div>
    </div>
  );
};
