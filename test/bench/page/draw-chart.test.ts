import { expect, test } from "vitest";
import { drawChart, drawPeerChart } from "./draw-chart.ts";
import { measuredFixture } from "./measured.fixture.ts";

const svg = drawChart(measuredFixture);

test("draws every ratio with its value and describes it for screen readers", () => {
  expect(svg.match(/<rect class="(?:met|missed|told)"/g)).toHaveLength(4);
  expect(svg).toContain(">0.50 missed</text>");
  expect(svg).toContain(">45.00</text>");
  expect(svg).toMatch(/<svg [^>]*role="img" aria-labelledby="chart-title chart-desc"/);
  expect(svg).toContain("GET /get-session, redis: throughput: 0.50, missed.");
});

test("draws a budget as a line, and nothing beyond the right end", () => {
  expect(svg.match(/class="budget"/g)).toHaveLength(3);
  const ends = [...svg.matchAll(/<rect class="\w+" x="(\d+)"[^>]*width="([\d.]+)"/g)];
  for (const [, from, width] of ends) expect(Number(from) + Number(width)).toBeLessThanOrEqual(880);
});

test("draws the comparison with the other product alone in its own chart", () => {
  const peerSvg = drawPeerChart(measuredFixture);
  expect(peerSvg.match(/<rect class="(?:met|missed|told)"/g)).toHaveLength(1);
  expect(peerSvg).toContain("GET /get-session, redis: throughput: 10.00, met.");
  expect(svg).not.toContain(">10.00</text>");
});

test("escapes the text of a path", () => {
  expect(svg).toContain("b=1&amp;c=2: &quot;what&quot; &lt;nobody&gt; | knows");
  expect(svg).not.toContain("<nobody>");
});

test("draws an empty chart without results", () => {
  expect(drawChart([])).toMatch(/^<svg .*<\/svg>\n$/s);
});
