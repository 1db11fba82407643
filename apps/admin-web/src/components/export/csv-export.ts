import { csvLine, type CsvValue } from "./csv-line.ts";
import type { Exported } from "./use-export.ts";

/** The columns of a CSV file by their names in its first line. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

type CsvMember<Row> = {
  [Name in keyof Row]: Row[Name] extends CsvValue ? Name : never;
}[keyof Row] &
  string;

/** Returns a column for each of these members of a row, by its name. */
export const csvMembers = <Row>(...names: readonly CsvMember<Row>[]): CsvColumns<Row> =>
  // A `CsvMember` has such a value.
  Object.fromEntries(names.map((name) => [name, (row: Row) => row[name] as CsvValue]));

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
