import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { SystemOptions } from "../harness/configure-system.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import type {} from "./browser-setup.ts";
import { watchPages } from "./watch-page.ts";

/** The fixture of a file of browser tests: the whole system and a browser. */
export interface WebTests {
  system(): System;
  /**
   * Opens a page in a signed-out browser context. Each page of a test has its own context. It is closed after the test, which fails
   * if the page misbehaved. Without options the context may be reused and have our files in its cache.
   */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Returns the address of a path of the admin web, such as `/users`. */
  url(path: string): string;
  /** Returns the address of a path of the account web, such as `/sign-in`. */
  accountUrl(path: string): string;
}

const deadlineMs = 90_000;

/** A browser context, and the misbehaviour of its pages. */
interface Opened {
  context: BrowserContext;
  faults: string[];
}

/** Clears the storage of our pages while they are still open. */
const forgetAll = async (page: Page): Promise<void> => {
  if (page.url().startsWith("http")) await page.evaluate("localStorage.clear()");
  await page.close();
};

/** Closes all pages except the first one, and removes their cookies and storage. */
const empty = async ({ context }: Opened): Promise<void> => {
  const [, ...pages] = context.pages();
  await Promise.all(pages.map(forgetAll));
  await context.clearCookies();
  await context.clearPermissions();
  await context.setOffline(false);
};

/** Returns the system with another host in its addresses. */
const atHost = (system: System, hostname: string | undefined): System => {
  if (hostname === undefined) return system;
  const move = (url: string) => url.replace("//127.0.0.1:", `//${hostname}:`);
  return { ...system, url: move(system.url), origin: move(system.origin) };
};

interface WebOptions extends Partial<SystemOptions> {
  /** The host at which pages are opened, if not the IP address. Passkeys need a domain, such as `localhost`. */
  hostname?: string;
  /** Other origins that pages may ask. A test answers these requests itself. */
  otherOrigins?: readonly string[];
}

/** Sets up a file of browser tests. Call it before any test. */
export const webTests = ({
  hostname,
  otherOrigins = [],
  ...options
}: WebOptions = {}): WebTests => {
  let system: System;
  let browser: Browser;
  /** A context that is kept for the next test, because its cache makes pages load much faster. */
  let reusable: Opened | undefined;
  const opened: Opened[] = [];
  beforeAll(async () => {
    const [started, connected] = await Promise.all([
      startSystem({ stores: "postgres", ...options }),
      chromium.connect(inject("browserUrl")),
    ]);
    system = atHost(started, hostname);
    browser = connected;
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });
  afterEach(async () => {
    const ended = opened.splice(0);
    await Promise.all(ended.map((one) => (one === reusable ? empty(one) : one.context.close())));
    expect(ended.flatMap(({ faults }) => faults.splice(0))).toEqual([]);
  });
  const open = async (own: BrowserContextOptions = {}): Promise<Opened> => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en",
      // Skips animations, because tests would wait for them.
      reducedMotion: "reduce",
      ...own,
    });
    context.setDefaultTimeout(deadlineMs);
    return { context, faults: await watchPages(context, [system.origin, ...otherOrigins]) };
  };
  /** Opens a context with a page that stays, because the process of its pages would otherwise end with the last one. */
  const openKept = async (): Promise<Opened> => {
    const one = await open();
    await (await one.context.newPage()).goto(`${system.url}/ok`);
    return one;
  };
  return {
    system: () => system,
    url: (path) => `${system.origin}/admin${path}`,
    accountUrl: (path) => `${system.origin}/account${path}`,
    openPage: async (own) => {
      const mayBeKept = own === undefined && !opened.some((one) => one === reusable);
      const one = mayBeKept ? (reusable ??= await openKept()) : await open(own);
      opened.push(one);
      return one.context.newPage();
    },
  };
};
