import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { TableColumn } from "./features.ts";
import type { TableSearch } from "./table-search.ts";
import type { TableState } from "./use-table-search.ts";

/** A page of a list, as `useQuery` gives it with `select`. */
export interface TablePage<Row> {
  readonly rows: readonly Row[];
  readonly total?: number | undefined;
  readonly totalIsEstimate?: boolean | undefined;
  readonly nextCursor?: string | undefined;
}

/** What is done to all selected rows, one by one. */
export interface BulkAction<Row> {
  /** The verb of the button: "Ban". */
  readonly label: string;
  readonly isDangerous?: boolean;
  /** What will come of it, asked before it begins: "They are signed out everywhere." */
  readonly consequence: string;
  /** Has to be typed before it begins. */
  readonly typed?: string;
  run(row: Row): Promise<unknown>;
}

export interface DataTableProps<Row extends object> {
  /** Names the table in this browser's memory: `users`. */
  readonly name: string;
  /** What the rows are: `["user", "users"]`. */
  readonly noun: readonly [one: string, many: string];
  readonly columns: readonly TableColumn<Row>[];
  readonly page: UseQueryResult<TablePage<Row>>;
  readonly state: TableState<TableSearch>;
  readonly rowId: (row: Row) => string;
  /** What a row is called, for screen readers and in what came of bulk actions: an address, a name. */
  readonly rowLabel: (row: Row) => string;
  /** Opens what the row is about: by Enter, or a click beside its links and buttons. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** What can be searched by: "Search by address or name". Without it there is no search box. */
  readonly searchLabel?: string | undefined;
  /** `Select`s that change the state. */
  readonly filters?: ReactNode;
  /** Whether a filter is on, so that an empty list can say why. */
  readonly isFiltered?: boolean | undefined;
  /** Buttons at the end of the toolbar: "Create user". */
  readonly actions?: ReactNode;
  readonly bulkActions?: readonly BulkAction<Row>[] | undefined;
  /** Shown where there is nothing at all yet: an `EmptyState`. */
  readonly empty: ReactNode;
}
