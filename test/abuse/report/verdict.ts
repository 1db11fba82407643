/** Something that must hold, and whether it did. */
export interface Verdict {
  what: string;
  holds: boolean;
  /** What was seen, in figures. */
  seen: string;
}

/** Lines of text in columns; the first row holds the headings. */
export const formatColumns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const format = (cells: readonly string[]) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((cells) => format(cells).trimEnd()).join("\n");
};

/** All verdicts, a line each. */
export const formatVerdicts = (verdicts: readonly Verdict[]): string =>
  formatColumns([
    ["must hold", "", "seen"],
    ...verdicts.map(({ what, holds, seen }) => [what, holds ? "holds" : "BROKEN", seen]),
  ]);

/** What did not hold, as text; empty where all did. */
export const brokenOf = (verdicts: readonly Verdict[]): string[] =>
  verdicts.filter(({ holds }) => !holds).map(({ what, seen }) => `${what}: ${seen}`);
