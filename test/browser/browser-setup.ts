import { type BrowserServer, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { keepAdminWebBuilt } from "../../scripts/admin-web/build-admin-web.ts";
import { findChromium } from "./find-chromium.ts";

declare module "vitest" {
  // An interface, because only those merge with vitest's own.
  export interface ProvidedContext {
    /** Where the browser of all tests is reached. */
    browserUrl: string;
  }
}

let server: BrowserServer | undefined;

/** A real Chromium without a window, which the tests of all files share: each page has a context of its own. */
const launch = async (): Promise<BrowserServer> => {
  const found = await findChromium();
  try {
    return await chromium.launchServer({ ...found, headless: true, host: "127.0.0.1" });
  } catch (cause) {
    throw new Error(
      `No Chromium starts from ${found.executablePath}: install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.`,
      { cause },
    );
  }
};

/** Before the tests that look at the web: builds it, if it has changed, and launches a browser. */
export const setup = async (project: TestProject): Promise<void> => {
  await keepAdminWebBuilt();
  server = await launch();
  project.provide("browserUrl", server.wsEndpoint());
};

/** After them. */
export const teardown = async (): Promise<void> => {
  await server?.close();
};
