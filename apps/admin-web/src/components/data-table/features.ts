import {
  type ColumnDef,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  tableFeatures,
} from "@tanstack/react-table";

export interface ColumnMeta {
  /** What the server sorts by, where it can sort by this column. */
  sortBy?: string;
  /** A width class, such as `w-40`; columns without one share what is left. */
  width?: string;
}

/** What our tables can do in the browser; searching, sorting and paging are the server's. */
export const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});

type Features = typeof features;

// Each column has values of a type of its own.
export type TableColumn<Row extends object> = ColumnDef<Features, Row, any>;

/** Makes the columns of a table of such rows. Make them once, outside of components. */
export const columnsOf = <Row extends object>() => createColumnHelper<Features, Row>();
