import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { type Stack, type StackOptions, startStack } from "../stack.ts";
import type {} from "./browser-setup.ts";
import { watchPages } from "./watch-page.ts";

/** What the tests of a file have: the whole house, and a browser. */
export interface WebTests {
  stack(): Stack;
  /** A page of a browser that knows nothing yet. It is closed after the test, which fails for what the page did wrong. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** An address of the web: `/users`. */
  url(path: string): string;
}

const deadlineMs = 30_000;

/** Sets a file of browser tests up. Call it first. */
export const webTests = (options: Partial<StackOptions> = {}): WebTests => {
  let stack: Stack;
  let browser: Browser;
  const opened: { close(): Promise<void>; faults: string[] }[] = [];
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
    await Promise.all(ended.map(({ close }) => close()));
    expect(ended.flatMap(({ faults }) => faults)).toEqual([]);
  });
  return {
    stack: () => stack,
    url: (path) => `${stack.origin}/admin${path}`,
    openPage: async (own = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        locale: "en",
        ...own,
      });
      context.setDefaultTimeout(deadlineMs);
      opened.push({
        close: () => context.close(),
        faults: await watchPages(context, stack.origin),
      });
      return context.newPage();
    },
  };
};
