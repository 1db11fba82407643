import type { Line } from "./row.ts";

const headings = ["path", "ours", "floor", "ratio", "budget", ""] as const;

const verdictOf = ({ met }: Line): string => {
  if (met === undefined) return "";
  return met ? "met" : "missed";
};

const cellsOf = (line: Line): string[] => [
  line.path,
  line.ours,
  line.floor,
  line.ratio,
  line.budget,
  verdictOf(line),
];

/** Formats the lines as a plain text table. */
export const formatTable = (lines: readonly Line[]): string => {
  const rows = [[...headings], ...lines.map(cellsOf)];
  const widths = headings.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const format = (cells: readonly string[]) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((cells) => format(cells).trimEnd()).join("\n");
};
