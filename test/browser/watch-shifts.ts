import type { Page } from "playwright-core";

interface Shift {
  value: number;
  what: string[];
}

/** The arrival of the font may move text whose width differs. A row that appears scores at least ten times as much. */
const fontShift = { valueMax: 0.002, milliseconds: 100 };

const script = `(() => {
  const shifts = [];
  let fontAt = -Infinity;
  document.fonts.addEventListener("loadingdone", () => (fontAt = performance.now()));
  const isOfFont = ({ value, startTime }) =>
    value <= ${fontShift.valueMax} && Math.abs(startTime - fontAt) < ${fontShift.milliseconds};
  const record = (entries) => {
    for (const { hadRecentInput, value, startTime, sources } of entries)
      if (!hadRecentInput)
        shifts.push({
          value,
          startTime,
          what: sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? ""),
        });
  };
  const observer = new PerformanceObserver((list) => record(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  window.takeShifts = async () => {
    await document.fonts.ready;
    await frame();
    await frame();
    record(observer.takeRecords());
    return shifts
      .splice(0)
      .filter((shift) => !isOfFont(shift))
      .map(({ value, what }) => ({ value, what }));
  };
})()`;

/**
 * Records layout shifts that are not caused by user input on all pages that a page navigates to. Returns a function that returns the
 * shifts since its last call, after rendering.
 */
export const watchShifts = async (page: Page): Promise<() => Promise<Shift[]>> => {
  await page.addInitScript(script);
  return () => page.evaluate<Shift[]>("window.takeShifts()");
};
