import { type BrowserServer, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { keepWebsBuilt } from "../../libs/ui/build/build-webs.ts";
import { findChromium } from "./find-chromium.ts";

declare module "vitest" {
  // Must be an interface, because only interfaces merge with vitest's own.
  export interface ProvidedContext {
    /** The address of the browser that all tests share. */
    browserUrl: string;
  }
}

let server: BrowserServer | undefined;

/** Launches a headless Chromium that the tests of all files share. Each page has its own browser context. */
const launch = async (): Promise<BrowserServer> => {
  const launchOptions = await findChromium();
  try {
    return await chromium.launchServer({ ...launchOptions, headless: true, host: "127.0.0.1" });
  } catch (cause) {
    throw new Error(
      `No Chromium starts from ${launchOptions.executablePath}: install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.`,
      { cause },
    );
  }
};

/** Runs before the browser tests. Builds the webs that have changed, and launches a browser. */
export const setup = async (project: TestProject): Promise<void> => {
  await keepWebsBuilt();
  server = await launch();
  project.provide("browserUrl", server.wsEndpoint());
};

export const teardown = async (): Promise<void> => {
  await server?.close();
};
