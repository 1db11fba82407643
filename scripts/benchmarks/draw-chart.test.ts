import { expect, test } from "vitest";
import { drawChart } from "./draw-chart.ts";
import { measuredFixture } from "./measured.fixture.ts";

const svg = drawChart(measuredFixture);

test("every ratio is drawn with its figure, and said to whoever does not see", () => {
  expect(svg.match(/<rect class="(?:met|missed|told)"/g)).toHaveLength(3);
  expect(svg).toContain(">0.50 missed</text>");
  expect(svg).toContain(">45.00</text>");
  expect(svg).toMatch(/<svg [^>]*role="img" aria-labelledby="chart-title chart-desc"/);
  expect(svg).toContain("GET /get-session, redis: throughput: 0.50, missed.");
});

test("a budget is a line of its own, and nothing is drawn beyond the right end", () => {
  expect(svg.match(/class="budget"/g)).toHaveLength(2);
  const ends = [...svg.matchAll(/<rect class="\w+" x="(\d+)"[^>]*width="([\d.]+)"/g)];
  for (const [, from, width] of ends) expect(Number(from) + Number(width)).toBeLessThanOrEqual(880);
});

test("what a path says is text, and never markup", () => {
  expect(svg).toContain("b=1&amp;c=2: &quot;what&quot; &lt;nobody&gt; | knows");
  expect(svg).not.toContain("<nobody>");
});

test("of no results there is a chart without bars", () => {
  expect(drawChart([])).toMatch(/^<svg .*<\/svg>\n$/s);
});
