/** A line of an export of an installation. */
interface ExportLine {
  kind?: string;
  table?: string;
  row?: Record<string, string | null>;
  sequence?: string;
  last?: string;
}

/** What the commands themselves leave in an installation. */
const isOfCommands = ({ table, row, sequence }: ExportLine): boolean =>
  sequence?.endsWith(".audit_id_seq") === true ||
  (table?.endsWith(".audit") === true && row?.["subject_kind"] === "installation");

/** JSON that an application gave stands as it was given in Redis, and as Postgres orders it in a row. */
const normalised = (line: ExportLine): string => {
  if (!line.row) return JSON.stringify(line);
  const columns = Object.entries(line.row).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const row = columns.map(([name, value]) => [
    name,
    name === "extra" && value ? (JSON.parse(value) as unknown) : value,
  ]);
  return JSON.stringify([line.table, row]);
};

/** All that was carried, in one order, without what commands leave and what tells of the export itself. */
export const contentOf = async (
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<string[]> => {
  const content: string[] = [];
  for await (const text of lines) {
    const line = JSON.parse(text) as ExportLine;
    if (line.kind === undefined && !isOfCommands(line)) content.push(normalised(line));
  }
  return content.toSorted();
};
