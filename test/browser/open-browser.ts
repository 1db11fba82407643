import { type Browser, chromium } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

/** A real Chromium without a window. */
export const openBrowser = async (): Promise<Browser> => {
  const found = await findChromium();
  try {
    return await chromium.launch({ ...found, headless: true });
  } catch (cause) {
    throw new Error(
      `No Chromium starts from ${found.executablePath}: install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.`,
      { cause },
    );
  }
};
