import type { Page } from "playwright-core";

/** Keeps what the page looks like under `test-artifacts/`, for people. */
export const takePicture = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: `test-artifacts/${name}.png`, animations: "disabled" });
};
