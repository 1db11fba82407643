import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import { expect, inject, test } from "vitest";
import { drawChart } from "../bench/page/draw-chart.ts";
import { measuredFixture } from "../bench/page/measured.fixture.ts";

test("the benchmark chart is well-formed XML and shows its texts unchanged", async () => {
  const browser = await chromium.connect(inject("browserUrl"));
  try {
    const page = await browser.newPage();
    const read = (svg: string) =>
      page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
        return {
          root: parsed.documentElement.localName,
          errors: parsed.querySelectorAll("parsererror").length,
          texts: [...parsed.querySelectorAll("text")].map(({ textContent }) => textContent),
        };
      }, svg);
    for (const svg of [drawChart(measuredFixture), await readFile("docs/benchmarks.svg", "utf8")])
      expect(await read(svg)).toMatchObject({ root: "svg", errors: 0 });
    const { texts } = await read(drawChart(measuredFixture));
    expect(texts).toContain(`GET /a?b=1&c=2: "what" <nobody> | knows`);
  } finally {
    await browser.close();
  }
});
