import { readFile } from "node:fs/promises";

/** A line of an export of an installation. */
export interface ExportLine {
  kind?: string;
  table?: string;
  row?: Record<string, string | null>;
  sequence?: string;
  last?: string;
}

/** The lines of an export, and of what they are. */
export const readExport = async (file: string): Promise<ExportLine[]> => {
  const text = await readFile(file, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ExportLine);
};

/** What the commands themselves leave in an installation. */
const isOfCommands = ({ table, row, sequence }: ExportLine): boolean =>
  sequence?.endsWith(".audit_id_seq") === true ||
  (table?.endsWith(".audit") === true && row?.["subject_kind"] === "installation");

/** JSON that an application gave stands as it was given in Redis, and as Postgres orders it in a row. */
const normalised = (line: ExportLine): string => {
  const extra = line.row?.["extra"];
  const row = { ...line.row, ...(extra && { extra: JSON.parse(extra) as unknown }) };
  return JSON.stringify(line.row ? { ...line, row } : line);
};

/** All that was carried, in one order, without what commands leave and what tells of the export itself. */
export const contentOf = async (file: string): Promise<string[]> =>
  (await readExport(file))
    .filter((line) => line.kind === undefined && !isOfCommands(line))
    .map(normalised)
    .toSorted();
