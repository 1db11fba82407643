import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Exported } from "../export/use-export.ts";
import type { TableColumn } from "./features.ts";
import type { TableSearch } from "./table-search.ts";
import type { TableState } from "./use-table-search.ts";
import type { RowKind } from "./row-words.ts";

/** A page of a list, as returned by `useQuery` with `select`. */
export interface TablePage<Row> {
  readonly rows: readonly Row[];
  readonly total?: number | undefined;
  readonly totalIsEstimate?: boolean | undefined;
  readonly nextCursor?: string | undefined;
}

/** An action that runs on all selected rows, one by one. */
export interface BulkAction<Row> {
  /** The verb of the button, such as "Ban". */
  readonly label: string;
  readonly isDangerous?: boolean;
  /** The consequence, shown before the action starts: "They are signed out everywhere." */
  readonly consequence: string;
  /** The text that must be typed before the action starts. */
  readonly typed?: string;
  run(row: Row): Promise<unknown>;
  /** A form for the details of the action, in place of the confirmation. It starts the action with them. */
  readonly form?: ((props: BulkFormProps<Row>) => ReactNode) | undefined;
}

/** The callbacks of a form for a bulk action. */
export interface BulkFormProps<Row> {
  readonly onStart: (run: BulkAction<Row>["run"]) => void;
  readonly onCancel: () => void;
}

export interface DataTableProps<Row extends object> {
  /** Identifies the table in this browser's storage, such as `users`. */
  readonly name: string;
  /** The kind of the rows. */
  readonly rows: RowKind;
  readonly columns: readonly TableColumn<Row>[];
  readonly page: UseQueryResult<TablePage<Row>>;
  readonly state: TableState<TableSearch>;
  readonly rowId: (row: Row) => string;
  /** Names a row for screen readers and in the outcome of bulk actions, by its address or name. */
  readonly rowLabel: (row: Row) => string;
  /** Opens the details of a row, on Enter or on a click outside of its links and buttons. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Shows a row beside the list, on Space. Without it, Space selects a row, which `x` always does. */
  readonly onPreview?: ((row: Row) => void) | undefined;
  /** The label of the search box, such as "Search by address or name". There is no search box without it. */
  readonly searchLabel?: string | undefined;
  /** The placeholder of the search box, if not its label. */
  readonly searchHint?: string | undefined;
  /** `Select`s that change the state. */
  readonly filters?: ReactNode;
  /** Whether a filter is set, so that an empty list can say why it is empty. */
  readonly isFiltered?: boolean | undefined;
  /** Buttons at the end of the toolbar, such as "Create user". */
  readonly actions?: ReactNode;
  /** Adds a button that exports every row that matches the filters. With bulk actions, all these rows can be selected. */
  readonly exported?: Exported<Row> | undefined;
  readonly bulkActions?: readonly BulkAction<Row>[] | undefined;
  /** Shown if the list has no rows at all: an `EmptyState`. */
  readonly empty: ReactNode;
}
