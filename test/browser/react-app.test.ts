import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectNoLeaks, freePort } from "@latchkey/testkit";
import type { FastifyInstance } from "fastify";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { buildNotes } from "../../docs/examples/react-app/server.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import type {} from "./browser-setup.ts";
import { lookAt } from "./look-at.ts";
import { overflowOf } from "./overflow-of.ts";

expectNoLeaks("file");

const root = join(import.meta.dirname, "..", "..");

let system: System;
let app: FastifyInstance;
let origin: string;
let pages: string;
let browser: Browser;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  pages = await mkdtemp(join(tmpdir(), "latchkey-notes-"));
  system = await startSystem({ stores: "postgres", config: { appURL: origin } });
  await build({
    root: join(root, "docs", "examples", "react-app"),
    logLevel: "error",
    build: { outDir: pages, emptyOutDir: true },
    define: { "import.meta.env.VITE_LATCHKEY_URL": JSON.stringify(system.url) },
    resolve: {
      alias: {
        "@latchkey/react/styles.css": join(root, "libs", "react", "src", "styles.css"),
        "@latchkey/react": join(root, "libs", "react", "src", "index.ts"),
      },
    },
  });
  app = await buildNotes({ latchkeyUrl: system.url, pages });
  await app.listen({ port, host: "127.0.0.1" });
  browser = await chromium.connect(inject("browserUrl"));
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await system?.stop();
  await rm(pages, { recursive: true, force: true });
});

/** Opens a browser with the session of a user, or without one. */
const openBrowser = async (email?: string): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 400, height: 700 } });
  if (email === undefined) return context;
  const data = { email, password };
  expect((await context.request.post(`${system.url}/sign-in/email`, { data })).status()).toBe(200);
  return context;
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

matrixTest("a signed-out user is led to the sign-in page, and from there back", async () => {
  const context = await openBrowser();
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  const link = page.getByRole("link", { name: "Sign in" });
  await link.waitFor();
  await lookAt(page, "react-app-signed-out");
  await page.evaluate("history.pushState(null, '', '/?note=7#end')");
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().startsWith(`${system.origin}/account/`)),
    link.click(),
  ]);
  const back = encodeURIComponent(`${origin}/?note=7#end`);
  expect(request.url()).toBe(`${system.origin}/account/sign-in?redirect_to=${back}`);
  await context.close();
});

test("a user writes notes in an organization, and signs out in all tabs", async () => {
  const { browser: client, email } = await signUp(system, {
    name: "Ada Lovelace",
    email: newEmail(),
  });
  const organization = { name: "Acme", slug: "acme", keepCurrentActiveOrganization: true };
  expect((await client.post("/organization/create", organization)).status).toBe(200);
  const context = await openBrowser(email);
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await page.getByText("Hello Ada Lovelace.").waitFor();

  await page.getByLabel("New note").fill("Personal");
  await button(page, "Add").click();
  await page.getByRole("listitem").getByText("Personal").waitFor();

  await button(page, "Organization: Personal account").click();
  await matrixStep(() => lookAt(page, "react-app-organizations"));
  await button(page, "Acme").click();
  const switcher = button(page, "Organization: Acme");
  await switcher.waitFor();
  await expect
    .poll(() => page.evaluate("document.activeElement.ariaLabel"))
    .toBe("Organization: Acme");
  await expect.poll(() => page.getByRole("listitem").count()).toBe(0);
  await page.getByLabel("New note").fill("Of Acme");
  await button(page, "Add").click();
  await page.getByText("Of Acme").waitFor();
  await switcher.click();
  expect(await button(page, "Acme").getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("Escape");
  await expect.poll(() => switcher.getAttribute("aria-expanded")).toBe("false");

  const other = await context.newPage();
  await other.goto(`${origin}/`);
  await other.getByText("Of Acme").waitFor();

  const account = button(page, "Account: Ada Lovelace");
  await account.click();
  await lookAt(page, "react-app-account");
  expect(await page.getByRole("link", { name: "Manage account" }).getAttribute("href")).toBe(
    `${system.origin}/account`,
  );
  await page.mouse.click(5, 690);
  await button(page, "Sign out").waitFor({ state: "detached" });
  await account.press("Enter");
  for (let stops = 0; stops < 3; stops += 1) await page.keyboard.press("Tab");
  await button(page, "Sign out").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate("document.activeElement.localName")).toBe("input");
  await account.click();
  await button(page, "Sign out").click();
  for (const tab of [page, other]) await tab.getByRole("link", { name: "Sign in" }).waitFor();
  expect(await overflowOf(page)).toBe(0);
  expect((await context.request.get(`${origin}/notes`)).status()).toBe(401);
  await context.close();
});

matrixTest("an outage is neither signed in nor signed out, and can be tried again", async () => {
  const { email } = await signUp(system, { name: "Grace Hopper" });
  const context = await openBrowser(email);
  const page = await context.newPage();
  await page.route(`${system.url}/get-session`, (route) => route.abort());
  await page.goto(`${origin}/`);
  const again = button(page, "Try again");
  await again.waitFor();
  expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
  await page.unroute(`${system.url}/get-session`);
  await again.click();
  await page.getByText("Hello Grace Hopper.").waitFor();

  await page.route(`${system.url}/sign-out`, (route) => route.abort());
  await button(page, "Account: Grace Hopper").click();
  await button(page, "Sign out").click();
  await page.getByRole("alert").getByText("Signing out failed. Try again.").waitFor();
  await page.getByText("Hello Grace Hopper.").waitFor();
  await context.close();
});
