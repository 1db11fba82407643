import { expect } from "vitest";
import type { Page } from "playwright-core";
import { expectAccessible } from "./expect-accessible.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";

const looks = [
  { colorScheme: "dark", size: { width: 400, height: 900 } },
  { colorScheme: "light", size: { width: 1440, height: 900 } },
] as const;

/** Checks the page in a dark narrow and a light wide window: axe finds nothing serious, nothing overflows. Keeps a screenshot of each. */
export const lookWideAndNarrow = async (page: Page, name: string): Promise<void> => {
  for (const { colorScheme, size } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(size);
    await expectAccessible(page);
    expect(await overflowOf(page)).toBe(0);
    await takePicture(page, `${name}-${size.width}-${colorScheme}`);
  }
};
