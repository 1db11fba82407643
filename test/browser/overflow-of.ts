import type { Page } from "playwright-core";

/** How much wider a page is than its window, in pixels: what has to be scrolled sideways to be seen. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
