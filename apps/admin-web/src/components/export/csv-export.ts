import { csvLine, type CsvValue } from "./csv-line.ts";
import type { Exported } from "./use-export.ts";

/** The columns of a CSV file by their names in its first line. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

interface CsvExport<Row> extends Pick<Exported<Row>, "name" | "pages"> {
  columns: CsvColumns<Row>;
}

/** Exports rows as CSV, with the names of the columns in the first line. */
export const csvExport = <Row>({ name, pages, columns }: CsvExport<Row>): Exported<Row> => {
  const values = Object.values(columns);
  return {
    name,
    extension: "csv",
    type: "text/csv;charset=utf-8",
    head: csvLine(Object.keys(columns)),
    lineOf: (row) => csvLine(values.map((valueOf) => valueOf(row))),
    pages,
  };
};
