import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { drawChart } from "./draw-chart.ts";
import { measuredFixture } from "./measured.fixture.ts";
import { mergeResults, readResults } from "./results.ts";
import { writePage } from "./write-page.ts";

const page = writePage(measuredFixture);

test("lists every row with its verdict and date", () => {
  expect(page).toContain(
    "| `get-session-redis` | GET /get-session, redis: throughput | 5000/s | 10000/s | 0.50 | >= 0.6 | **missed** | 2026-01-02 |",
  );
  expect(page).toContain("| 1.00 | &lt;= 1.2 | met | 2026-01-03, quick |");
});

test("escapes cell separators and markup in a path", () => {
  expect(page).toContain(String.raw`&lt;nobody> \| knows`);
});

test("names the path of a missed row and its profile", () => {
  const missed = page.slice(page.indexOf("## Below budget"));
  expect(missed).toContain("### get-session-redis");
  expect(missed).toContain("- GET /get-session, redis: throughput");
  expect(missed).toContain("9.0 %  undici  resume");
  expect(missed).not.toContain("lists");
});

test("replaces only the rows that were measured again and drops rows that no longer exist", () => {
  const [first, second] = measuredFixture;
  if (!first || !second) throw new Error("the fixture has two rows");
  const anew = { ...second, date: "2026-02-01" };
  expect(mergeResults(measuredFixture, [anew], ["lists", first.name])).toEqual([anew, first]);
  expect(mergeResults(measuredFixture, [anew], [first.name])).toEqual([first]);
});

test("matches the committed page and chart with the committed results", async () => {
  const results = await readResults();
  expect(await readFile("docs/benchmarks.md", "utf8")).toBe(writePage(results));
  expect(await readFile("docs/benchmarks.svg", "utf8")).toBe(drawChart(results));
});
