import type { Locator, Page } from "playwright-core";

/** Returns by how many pixels a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Returns the texts of the elements that cut their text, or an element inside of them does. */
export const cutTextsOf = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) =>
    all
      .filter((element) =>
        [element, ...element.querySelectorAll("*")].some(
          // An inline element has no width of its own.
          ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
        ),
      )
      .map(({ textContent }) => textContent),
  );
