import { type Browser, chromium } from "playwright-core";
import { keepWebsBuilt } from "../../../libs/ui/build/build-webs.ts";
import { findChromium } from "../../browser/find-chromium.ts";
import type { Row } from "../harness/row.ts";
import { median } from "../harness/statistics.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";

const secondsMax = 3;

/** A slow mobile network: 1 Mbit/s, and 200 ms more for each request. */
const slowNetwork = {
  offline: false,
  latency: 200,
  downloadThroughput: 1_000_000 / 8,
  uploadThroughput: 1_000_000 / 8,
};

/** Returns the seconds from the address to a form that takes input, in a browser context without a cache. */
const visitOnce = async (browser: Browser, url: string): Promise<number> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", slowNetwork);
    const begun = performance.now();
    await page.goto(new URL("/account/sign-in", url).href, { waitUntil: "commit" });
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    return (performance.now() - begun) / 1000;
  } finally {
    await context.close();
  }
};

/** Time to the usable sign-in form of the account web with an empty cache, on a slow network. */
export const accountWebSignIn: Row = {
  name: "account-web-sign-in",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await keepWebsBuilt();
      return withChildren({ ours: stackModule }, async ({ ours }) => {
        const url = await ours.call<string>("start", stores.stackInput("postgres"));
        const browser = await chromium.launch({ ...(await findChromium()), headless: true });
        try {
          // Not counted: the services compile their statements with it.
          await visitOnce(browser, url);
          const seconds: number[] = [];
          while (seconds.length < bench.options.rounds) seconds.push(await visitOnce(browser, url));
          const middle = median(seconds);
          return [
            {
              path: "account web, first visit of the sign-in page",
              ours: `${middle.toFixed(2)} s, ${Math.max(...seconds).toFixed(2)} s at most`,
              floor: "",
              ratio: "",
              budget: `<= ${secondsMax} s`,
              met: middle <= secondsMax,
            },
          ];
        } finally {
          await browser.close();
        }
      });
    }),
};
