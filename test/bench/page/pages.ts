import { readFile } from "node:fs/promises";
import { drawChart, drawPeerChart, drawReplicasChart } from "./draw-chart.ts";
import type { Measured } from "./results.ts";
import { writeScalingTable } from "./scaling-page.ts";
import { writePage } from "./write-page.ts";

/** Returns the texts of all files that derive from the results, by path. */
export const pagesOf = async (
  results: readonly Measured[],
): Promise<Readonly<Record<string, string>>> => ({
  "docs/benchmarks.md": writePage(results),
  "docs/benchmarks.svg": drawChart(results),
  "docs/benchmarks-peer.svg": drawPeerChart(results),
  "docs/scaling.md": writeScalingTable(await readFile("docs/scaling.md", "utf8"), results),
  "docs/scaling.svg": drawReplicasChart(results),
});
