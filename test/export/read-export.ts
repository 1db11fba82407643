/** A line of an installation's export. */
interface ExportLine {
  kind?: string;
  table?: string;
  row?: Record<string, string | null>;
  sequence?: string;
  last?: string;
}

/** Whether the commands themselves wrote the row. */
const isOfCommands = ({ table, row, sequence }: ExportLine): boolean =>
  sequence?.endsWith(".audit_id_seq") === true ||
  (table?.endsWith(".audit") === true && row?.["subject_kind"] === "installation");

/** Normalizes JSON of an application: Redis keeps it as text, and Postgres reorders its members. */
const normalised = (line: ExportLine): string => {
  if (!line.row) return JSON.stringify(line);
  const columns = Object.entries(line.row).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const row = columns.map(([name, value]) => [
    name,
    name === "extra" && value ? (JSON.parse(value) as unknown) : value,
  ]);
  return JSON.stringify([line.table, row]);
};

/** Returns the sorted content of an export, without rows that the commands write and metadata of the export itself. */
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
