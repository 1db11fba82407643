import {
  type ColumnDef,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { ColumnPriority } from "@latchkey/ui/components/column-priority.ts";

export interface ColumnMeta {
  /** The server's name for sorting by this column, if it can. */
  sortBy?: string;
  /** A width class, such as `w-40`. Columns of a least width, such as `min-w-40`, and those without a class share the remaining width. */
  width?: string;
  /** Hides the column in a narrow table, those of low priority first. Columns without one are never hidden. */
  priority?: ColumnPriority;
  /** Its cells are numbers, which end below each other. */
  isNumber?: boolean;
}

/** The features that tables have in the browser. The server searches, sorts and pages. */
export const features = tableFeatures({
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});

type Features = typeof features;

// Each column has its own value type.
export type TableColumn<Row extends object> = ColumnDef<Features, Row, any>;

/** Creates a column helper for rows of this type. Call it outside of components, so that the columns stay the same objects. */
export const columnsOf = <Row extends object>() => createColumnHelper<Features, Row>();
