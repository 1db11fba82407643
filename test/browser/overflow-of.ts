import type { Locator, Page } from "playwright-core";

/** Returns by how many pixels a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Returns the controls of a page that are smaller than a finger needs: 40 pixels. A checkbox is as large as its label. */
export const smallTargetsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("a, button, input, select, textarea")]
      .map((control) => control.closest("label") ?? control)
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        return height > 0 && Math.min(width, height) < 40;
      })
      .map(({ outerHTML }) => outerHTML),
  );

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
