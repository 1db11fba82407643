import { createSecretRing, signValue } from "@latchkey/crypto";
import { Client } from "pg";
import { type Browser, chromium, type Page } from "playwright-core";
import { keepWebsBuilt } from "../../../libs/ui/build/build-webs.ts";
import { findChromium } from "../../browser/find-chromium.ts";
import type { Line, Row } from "../harness/row.ts";
import { seedPostgres, tokenOf } from "../harness/seed.ts";
import { seededId } from "../harness/seeded-id.ts";
import { benchSecret } from "../harness/stack-settings.ts";
import { median } from "../harness/statistics.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";

const secondsMax = 2.5;

/** The bandwidth and round trip of Lighthouse's "Slow 4G". The protocol adds the latency once to each request, not to the handshake. */
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_638_400 / 8,
  uploadThroughput: 750_000 / 8,
};
const cpuSlowdown = 4;

/** A screen, and the first cell of its table that shows data in place of a skeleton. */
interface Screen {
  name: string;
  path: string;
  firstCell: (page: Page) => ReturnType<Page["locator"]>;
}

const screens: readonly Screen[] = [
  {
    name: "Home",
    path: "/admin/",
    firstCell: (page) =>
      page
        .getByRole("tab", { name: /^Sign-ups/ })
        .getByText("before")
        .first(),
  },
  {
    name: "Users",
    path: "/admin/users",
    firstCell: (page) =>
      page.getByRole("grid", { name: "users" }).getByText("@example.com").first(),
  },
];

/** The first seeded user is the admin who visits. */
const seedAdmin = async (databaseUrl: string): Promise<void> => {
  await seedPostgres(databaseUrl);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`update identity."user" set role = 'admin' where id = $1`, [
      seededId("user", 1),
    ]);
  } finally {
    await client.end();
  }
};

/** Returns the seconds from the address to the first cell, in a browser context without a cache. */
const visitOnce = async (browser: Browser, url: string, screen: Screen): Promise<number> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const token = signValue(createSecretRing([benchSecret]), tokenOf(1));
    await context.addCookies([{ name: "auth.session_token", value: token, url }]);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", slow4g);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
    const begun = performance.now();
    await page.goto(new URL(screen.path, url).href, { waitUntil: "commit" });
    await screen.firstCell(page).waitFor();
    return (performance.now() - begun) / 1000;
  } finally {
    await context.close();
  }
};

/** Measures a screen after one visit that is not counted, with which the services compile their statements. */
const measureScreen = async (
  visit: (screen: Screen) => Promise<number>,
  screen: Screen,
  rounds: number,
): Promise<Line> => {
  await visit(screen);
  const seconds: number[] = [];
  while (seconds.length < rounds) seconds.push(await visit(screen));
  const middle = median(seconds);
  return {
    path: `admin web, first visit of ${screen.name}`,
    ours: `${middle.toFixed(2)} s, ${Math.max(...seconds).toFixed(2)} s at most`,
    floor: "",
    ratio: "",
    budget: `<= ${secondsMax} s`,
    met: middle <= secondsMax,
  };
};

/** Time to the first usable table of the admin web with an empty cache, on a slow network and a slow processor. */
export const adminWebFirstVisit: Row = {
  name: "admin-web-first-visit",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await keepWebsBuilt();
      await seedAdmin(stores.databaseUrl);
      return withChildren({ ours: stackModule }, async ({ ours }) => {
        const url = await ours.call<string>("start", stores.stackInput("postgres"));
        const browser = await chromium.launch({ ...(await findChromium()), headless: true });
        try {
          const lines: Line[] = [];
          for (const screen of screens)
            if (bench.options.measures(screen.name))
              lines.push(
                await measureScreen(
                  (one) => visitOnce(browser, url, one),
                  screen,
                  bench.options.rounds,
                ),
              );
          return lines;
        } finally {
          await browser.close();
        }
      });
    }),
};
