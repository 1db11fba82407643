import { expectNoLeaks } from "@latchkey/testkit";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { webTests } from "./web-tests.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

const untilFocused = (target: Locator) =>
  expect.poll(() => target.evaluate((element) => element.matches(":focus"))).toBe(true);

/** Opens the list of users. The code of popups arrives when `arrive` is called. */
const openWithoutPopups = async () => {
  // A context of its own has an empty cache.
  const page = await openPage({ locale: "en" });
  await signInAsAdmin(page, system());
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(/\/popups-.*\.js$/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(url("/users"));
  await page.getByRole("grid", { name: "users" }).getByText("@example.com").first().waitFor();
  return { page, arrive };
};

const popups: [string, (page: Page) => { trigger: Locator; content: Locator }][] = [
  [
    "a list of choices",
    (page) => ({
      trigger: page.getByRole("combobox", { name: "Role" }),
      content: page.getByRole("option").first(),
    }),
  ],
  [
    "a menu",
    (page) => ({
      trigger: page.getByRole("button", { name: "Columns" }),
      content: page.getByRole("menuitemcheckbox").first(),
    }),
  ],
];

matrixTest.each(popups)(
  "opens %s that was pressed before its code arrived",
  async (_name, find) => {
    const { page, arrive } = await openWithoutPopups();
    const { trigger, content } = find(page);
    await expectAccessible(page);
    await trigger.click();
    expect(await content.count()).toBe(0);
    arrive();
    await content.waitFor();
    await page.keyboard.press("Escape");
    await untilFocused(trigger);
  },
);

matrixTest(
  "opens a menu that is still pressed when its code arrives, and keeps the focus elsewhere",
  async () => {
    const { page, arrive } = await openWithoutPopups();
    const { trigger, content } = popups[1]![1](page); // the menu
    await trigger.hover();
    await page.mouse.down();
    arrive();
    await content.waitFor();
    await page.mouse.up();
    await content.waitFor();
    await page.keyboard.press("Escape");
    await content.waitFor({ state: "detached" });
    await untilFocused(trigger);
  },
);

matrixTest("a trigger keeps the focus when the code of its popup arrives", async () => {
  const { page, arrive } = await openWithoutPopups();
  const trigger = page.getByRole("combobox", { name: "State" });
  const menu = popups[1]![1](page);
  await menu.trigger.click();
  await trigger.focus();
  const early = await trigger.elementHandle();
  arrive();
  await expect.poll(() => early?.evaluate((element) => element.isConnected)).toBe(false);
  await untilFocused(trigger);
  // The user has gone on since the press.
  expect(await menu.content.count()).toBe(0);
  await page.keyboard.press("Enter");
  await page.getByRole("option", { name: "Banned", exact: true }).waitFor();
});

test("keeps the screen without the code of popups and dialogs, and loads it on the next press", async () => {
  const page = await openPage({ locale: "en" });
  await signInAsAdmin(page, system());
  const code = /\/(popups|create-user)-.*\.js$/;
  await page.route(code, (route) => route.abort());
  await page.goto(url("/users"));
  const notice = page.getByText("Part of this page could not be loaded.");
  await notice.waitFor();
  await page.getByRole("grid", { name: "users" }).getByText("@example.com").first().waitFor();
  await expectAccessible(page);
  const create = page.getByRole("button", { name: "Create user" });
  const failed = page.waitForEvent("requestfailed");
  await create.click();
  await failed;
  await page.waitForURL(url("/users"));
  await page.unroute(code);
  const { trigger, content } = popups[1]![1](page); // the menu
  await trigger.click();
  await content.waitFor();
  await notice.waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await create.click();
  const dialog = page.getByRole("dialog", { name: "Create user" });
  const choice = dialog.getByRole("combobox", { name: "Email verification" });
  await choice.click();
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  await untilFocused(choice);
});

matrixTest(
  "shows the name of an icon button on hover and on focus, until Escape or its removal",
  async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/users"));
    const button = page.getByRole("button", { name: "Refresh" });
    const tooltip = page.getByText("Refresh", { exact: true });
    await button.hover();
    await tooltip.waitFor();
    await tooltip.hover();
    await tooltip.waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await tooltip.waitFor({ state: "detached" });
    await page.getByRole("combobox", { name: "Role" }).focus();
    await page.keyboard.press("Tab");
    await untilFocused(button);
    await tooltip.waitFor();
    await page.keyboard.press("Tab");
    await tooltip.waitFor({ state: "detached" });
    await page.getByRole("combobox", { name: "Role" }).focus();
    await page.keyboard.press("Tab");
    await tooltip.waitFor();
    await button.evaluate((element) => element.remove());
    await tooltip.waitFor({ state: "hidden" });
  },
);
