import { expect } from "vitest";
import type { Page } from "playwright-core";
import { expectAccessible } from "./expect-accessible.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";

/** Checks the page in both themes: axe finds nothing serious, nothing overflows the window. Keeps a screenshot. */
export const lookAt = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme === "light" ? "everything" : "colours");
    expect(await overflowOf(page)).toBe(0);
    await takePicture(page, `${name}-${colorScheme}`);
  }
};
