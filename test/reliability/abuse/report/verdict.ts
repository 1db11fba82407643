/** A condition that must hold, and whether it did. */
export interface Verdict {
  what: string;
  holds: boolean;
  /** The measured values. */
  seen: string;
}

/** Formats rows as aligned columns of text. The first row holds the headings. */
export const formatColumns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const format = (cells: readonly string[]) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((cells) => format(cells).trimEnd()).join("\n");
};

/** Formats all verdicts, one per line. */
export const formatVerdicts = (verdicts: readonly Verdict[]): string =>
  formatColumns([
    ["must hold", "", "seen"],
    ...verdicts.map(({ what, holds, seen }) => [what, holds ? "holds" : "BROKEN", seen]),
  ]);

/** Returns the failed verdicts as text. */
export const brokenOf = (verdicts: readonly Verdict[]): string[] =>
  verdicts.filter(({ holds }) => !holds).map(({ what, seen }) => `${what}: ${seen}`);
