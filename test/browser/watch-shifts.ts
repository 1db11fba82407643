import type { Page } from "playwright-core";

interface Shift {
  value: number;
  what: string[];
}

/** The score of text that moves by a pixel when its font replaces a similar one. A row that appears has at least ten times as much. */
const fontShift = 0.002;

const script = `(() => {
  const shifts = [];
  const record = (entries) => {
    for (const { hadRecentInput, value, sources } of entries)
      if (!hadRecentInput && value > ${fontShift})
        shifts.push({ value, what: sources.map(({ node }) => node?.outerHTML?.slice(0, 200) ?? "") });
  };
  const observer = new PerformanceObserver((list) => record(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  window.takeShifts = async () => {
    await frame();
    await frame();
    record(observer.takeRecords());
    return shifts.splice(0);
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
