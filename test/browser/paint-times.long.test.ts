import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { callAdminInternal, newEmail, password } from "../harness/users.ts";
import { webTests } from "./web-tests.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";

// `npm run paint-times` measures with nothing beside it, holds the bounds and prints the times. The matrix runs other tests beside it, so
// that it allows ten times as long.

expectNoLeaks("file");

const isMeasured = process.env["MEASURE_PAINTS"] !== undefined;
const factor = isMeasured ? 1 : 10;
/** Of each screen, with an empty cache. Their median counts. */
const loads = isMeasured ? 5 : 1;

const { system, openPage, url, accountUrl } = webTests({
  config: { ...webConfig, magicLink: { enabled: true } },
});

/** Slow 4G, as Lighthouse defines it. */
const slow4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1000 * 1000) / 8,
  uploadThroughput: (750 * 1000) / 8,
};

/** A screen, and the times in milliseconds that hold for it. */
interface Screen {
  name: string;
  address: () => string;
  isSignedIn?: boolean;
  /** Selects what a user waits for. */
  awaited: string;
  paintedMax?: number;
  usableMax: number;
}

const screens: readonly Screen[] = [
  {
    name: "sign-in",
    address: () => accountUrl("/sign-in"),
    awaited: "#root form button[type=submit]:not(:disabled)",
    paintedMax: 1200,
    usableMax: 2200,
  },
  {
    name: "Home",
    address: () => url("/"),
    isSignedIn: true,
    awaited: "[role=tablist] [role=tab] polyline",
    usableMax: 2500,
  },
  {
    name: "Users",
    address: () => url("/users"),
    isSignedIn: true,
    awaited: "[role=grid] tbody tr a",
    usableMax: 2500,
  },
];

/** Runs in the page before its own scripts. Resolves when what is awaited is first painted. */
const watchFor = (selector: string): string => `
  window.usable = new Promise((resolve) => {
    const look = () =>
      requestAnimationFrame(() => {
        if (document.querySelector(${JSON.stringify(selector)}) === null) look();
        else requestAnimationFrame(() => resolve(performance.now()));
      });
    look();
  });
`;

const timesOf = (page: Page): Promise<{ painted: number; usable: number }> =>
  page.evaluate(`window.usable.then((usable) => ({
    painted: performance.getEntriesByName("first-paint")[0].startTime,
    usable,
  }))`);

const load = async ({ address, awaited, isSignedIn }: Screen) => {
  // A context of its own has an empty cache.
  const page = await openPage({ locale: "en" });
  if (isSignedIn) await signInAsAdmin(page, system());
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", slow4G);
  await page.addInitScript({ content: watchFor(awaited) });
  await page.goto(address());
  const times = await timesOf(page);
  // Its other requests would end in faults.
  await session.send("Network.emulateNetworkConditions", {
    ...slow4G,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.waitForLoadState("networkidle");
  return times;
};

const medianOf = (values: readonly number[]): number =>
  Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN);

beforeAll(async () => {
  for (let count = 0; count < 60; count += 1) {
    const user = { email: newEmail(), name: "Ada Lovelace", password };
    expect((await callAdminInternal(system(), "/create-user", user)).status).toBe(200);
  }
  // Compiles and caches what every installation has compiled and cached long before.
  for (const screen of screens) await load(screen);
});

test.each(screens)("$name is painted and usable in time at slow 4G", async (screen) => {
  const all = [];
  for (let count = 0; count < loads; count += 1) all.push(await load(screen));
  const painted = medianOf(all.map((times) => times.painted));
  const usable = medianOf(all.map((times) => times.usable));
  if (isMeasured)
    process.stdout.write(
      `${screen.name}: painted after ${painted} ms, usable after ${usable} ms\n`,
    );
  expect(usable).toBeLessThanOrEqual(screen.usableMax * factor);
  if (screen.paintedMax !== undefined)
    expect(painted).toBeLessThanOrEqual(screen.paintedMax * factor);
});
