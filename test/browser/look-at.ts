import { expect } from "vitest";
import type { Page } from "playwright-core";
import { expectAccessible } from "./expect-accessible.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";

/** Looks at the page as it is in both themes: axe finds nothing, nothing is wider than the window, and a picture is kept. */
export const lookAt = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme === "light" ? "everything" : "colours");
    expect(await overflowOf(page)).toBe(0);
    await takePicture(page, `${name}-${colorScheme}`);
  }
};
