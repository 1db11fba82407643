import type { Measured } from "./results.ts";
import { tableOf, verdictOf } from "./write-page.ts";

const begin = "<!-- measured: npm run bench -- --only scaling --write -->";
const end = "<!-- end of measured -->";

/** Replaces the measured table of the page on scaling. The rest of the page is written by hand. */
export const writeScalingTable = (page: string, results: readonly Measured[]): string => {
  const [before, after] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  if (before < begin.length || after < before)
    throw new Error(`docs/scaling.md needs the lines ${begin} and ${end}`);
  const lines = results.flatMap((row) => (row.name === "scaling" ? row.lines : []));
  const table = tableOf(
    ["limited to", "measured", "linear", "share of linear", "goal", ""],
    lines.map((line) => [
      line.path,
      line.ours,
      line.floor,
      line.ratio,
      line.budget,
      verdictOf(line),
    ]),
  );
  return `${page.slice(0, before)}\n\n${table}\n\n${page.slice(after)}`;
};
