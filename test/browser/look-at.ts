import { expect } from "vitest";
import type { Page } from "playwright-core";
import { matrix } from "../harness/matrix.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";

/** Checks the page: axe finds nothing serious, nothing overflows the window. In the matrix in the dark theme, too. Keeps a screenshot. */
export const lookAt = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of matrix("light", "dark")) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme === "light" ? "everything" : "colours");
    expect(await overflowOf(page)).toBe(0);
    await takePicture(page, `${name}-${colorScheme}`);
  }
};

interface Look {
  colorScheme: "dark" | "light";
  size: { width: number; height: number };
}

const narrow: Look = { colorScheme: "dark", size: { width: 400, height: 900 } };
const wide: Look = { colorScheme: "light", size: { width: 1440, height: 900 } };

/**
 * Checks the page in a narrow and a wide window: axe finds nothing serious, nothing overflows. Keeps a screenshot of each. axe looks at the
 * narrow dark one in the matrix only.
 */
export const lookWideAndNarrow = async (page: Page, name: string): Promise<void> => {
  const looked = matrix<Look>(wide, narrow);
  for (const look of [narrow, wide]) {
    const { colorScheme, size } = look;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(size);
    if (looked.includes(look)) await expectAccessible(page);
    expect(await overflowOf(page)).toBe(0);
    await takePicture(page, `${name}-${size.width}-${colorScheme}`);
  }
};
