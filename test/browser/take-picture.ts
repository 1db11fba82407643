import type { Page } from "playwright-core";

const isWanted = process.env["TEST_PICTURES"] !== undefined;

/** With `TEST_PICTURES`, saves a screenshot of the page in `test-artifacts/` for manual review. */
export const takePicture = async (page: Page, name: string): Promise<void> => {
  if (!isWanted) return;
  await page.screenshot({ path: `test-artifacts/${name}.png`, animations: "disabled" });
};
