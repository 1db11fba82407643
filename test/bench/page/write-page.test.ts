import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { measuredFixture } from "./measured.fixture.ts";
import { pagesOf } from "./pages.ts";
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

test("compares with the other product in a section of its own, and names where that is better", () => {
  const beside = page.slice(page.indexOf("## Beside better-auth"), page.indexOf("## Below budget"));
  expect(beside).toContain("| row | path | Latchkey | better-auth | ratio |");
  expect(beside).toContain(
    "| `peer-redis` | GET /get-session, redis: throughput | 5000/s | 500/s | 10.00 |",
  );
  const better = beside.slice(beside.indexOf("### Where better-auth is better"));
  expect(better).toContain("- memory after these loads, redis (ratio 1.50)");
  expect(better).not.toContain("get-session");
  expect(page.slice(0, page.indexOf("## Beside better-auth"))).not.toContain("peer-redis`");
});

test("says that the other product is better nowhere, and omits the section without its results", () => {
  const beside = measuredFixture.find(({ name }) => name === "peer-redis");
  if (!beside) throw new Error("the fixture lacks a row beside the other product");
  const lines = beside.lines.filter(({ peerIsBetter }) => !peerIsBetter);
  expect(writePage([{ ...beside, lines }])).toContain("In none of these figures.");
  expect(writePage(measuredFixture.filter(({ name }) => name !== "peer-redis"))).not.toContain(
    "## Beside",
  );
});

test("replaces only the rows that were measured again and drops rows that no longer exist", () => {
  const [first, second] = measuredFixture;
  if (!first || !second) throw new Error("the fixture has fewer than two rows");
  const anew = { ...second, date: "2026-02-01" };
  expect(mergeResults(measuredFixture, [anew], ["lists", first.name])).toEqual([anew, first]);
  expect(mergeResults(measuredFixture, [anew], [first.name])).toEqual([first]);
});

test("matches the committed pages and charts with the committed results", async () => {
  const pages = await pagesOf(await readResults());
  for (const [path, text] of Object.entries(pages))
    expect(await readFile(path, "utf8"), path).toBe(text);
});
