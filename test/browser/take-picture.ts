import type { Page } from "playwright-core";

/** Saves a screenshot of the page in `test-artifacts/` for manual review. */
export const takePicture = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: `test-artifacts/${name}.png`, animations: "disabled" });
};
