import { gzipSync } from "node:zlib";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signInAsAdmin, webConfig } from "./web-people.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { stack, openPage, url } = webTests({ config: webConfig });

const bytesMax = 300 * 1024;

/** Packed bytes of all scripts that a page loads until it rests. */
const weightOf = async (page: Page, path: string): Promise<number> => {
  const scripts: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts.push(response.body());
  });
  await page.goto(url(path));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  const bodies = await Promise.all(scripts);
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
};

test("whoever comes first to the sign-in page loads less than 300 KB of packed scripts", async () => {
  expect(await weightOf(await openPage(), "/sign-in")).toBeLessThan(bytesMax);
});

test.each([
  "/",
  "/users",
  "/organizations",
  "/api-keys",
  "/mail",
  "/queues",
  "/audit",
  "/signing-keys",
  "/settings",
])("so does an admin who comes first to %s", async (path) => {
  const page = await openPage();
  await signInAsAdmin(page, stack());
  const weight = await weightOf(page, path);
  expect(weight).toBeGreaterThan(0);
  expect(weight).toBeLessThan(bytesMax);
});
