import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { type Stack, type StackOptions, startStack } from "../stack.ts";
import type {} from "./browser-setup.ts";
import { watchPages } from "./watch-page.ts";

/** What the tests of a file have: the whole house, and a browser. */
export interface WebTests {
  stack(): Stack;
  /**
   * A page of a browser that nobody is signed in with, another one for each page of a test. It is closed after the test, which
   * fails for what the page did wrong. Without options it may have been used before, and has our files in its cache.
   */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** An address of the web: `/users`. */
  url(path: string): string;
}

const deadlineMs = 30_000;

/** A browser of its own, and what its pages did wrong. */
interface Opened {
  context: BrowserContext;
  faults: string[];
}

/** Forgets what our pages keep, while they are there to do it. */
const forgetAll = async (page: Page): Promise<void> => {
  if (page.url().startsWith("http")) await page.evaluate("localStorage.clear()");
  await page.close();
};

/** Closes all pages, and forgets whom they were signed in as and what they kept. */
const empty = async ({ context }: Opened): Promise<void> => {
  await Promise.all(context.pages().map(forgetAll));
  await context.clearCookies();
  await context.clearPermissions();
  await context.setOffline(false);
};

/** Sets a file of browser tests up. Call it first. */
export const webTests = (options: Partial<StackOptions> = {}): WebTests => {
  let stack: Stack;
  let browser: Browser;
  /** Loads our files faster the next time, which is most of what a page costs. */
  let kept: Opened | undefined;
  const opened: Opened[] = [];
  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startStack({ stores: "postgres", ...options }),
      chromium.connect(inject("browserUrl")),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });
  afterEach(async () => {
    const ended = opened.splice(0);
    await Promise.all(ended.map((one) => (one === kept ? empty(one) : one.context.close())));
    expect(ended.flatMap(({ faults }) => faults.splice(0))).toEqual([]);
  });
  const open = async (own: BrowserContextOptions = {}): Promise<Opened> => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en",
      // Nobody looks on while a test waits for what moves.
      reducedMotion: "reduce",
      ...own,
    });
    context.setDefaultTimeout(deadlineMs);
    return { context, faults: await watchPages(context, stack.origin) };
  };
  return {
    stack: () => stack,
    url: (path) => `${stack.origin}/admin${path}`,
    openPage: async (own) => {
      const mayBeKept = own === undefined && !opened.some((one) => one === kept);
      const one = mayBeKept ? (kept ??= await open()) : await open(own);
      opened.push(one);
      return one.context.newPage();
    },
  };
};
