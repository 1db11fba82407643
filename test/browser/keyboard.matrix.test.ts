import { expectNoLeaks } from "@latchkey/testkit";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { password, signUp, signUpAs, trySignIn } from "../harness/users.ts";
import { webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

const stepsMax = 80;

const isFocused = (target: Locator) => target.evaluate((element) => element.matches(":focus"));

/** Presses Tab until the target has the focus. Checks on the way that the focus is visible. */
const tabTo = async (page: Page, target: Locator) => {
  await target.waitFor();
  for (let step = 0; step < stepsMax && !(await isFocused(target)); step += 1)
    await page.keyboard.press("Tab");
  expect(await isFocused(target), `Tab leads to ${String(target)}`).toBe(true);
  const outline = await target.evaluate((element) => {
    const { outlineStyle, boxShadow } = getComputedStyle(element);
    return [outlineStyle, boxShadow];
  });
  expect(outline).not.toEqual(["none", "none"]);
};

const press = async (page: Page, target: Locator, key = "Enter") => {
  await tabTo(page, target);
  await page.keyboard.press(key);
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("an admin without a pointer signs in, finds a user, bans the user and lifts the ban again", async () => {
  const admin = await signUpAs(system(), "admin");
  const { email } = await signUp(system());
  const page = await openPage();
  await page.goto(url("/"));
  await tabTo(page, page.getByLabel("Email or username"));
  await page.keyboard.type(admin.email);
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();

  await press(page, page.getByRole("link", { name: "Skip to the screen" }));
  await press(page, page.getByRole("navigation", { name: "Screens" }).getByText("Users"));
  await tabTo(page, page.getByRole("searchbox", { name: "Search users" }));
  await page.keyboard.type(email);
  await page.waitForURL(({ searchParams }) => searchParams.get("q") === email);
  await page.getByText("1 user", { exact: true }).waitFor();
  await press(page, page.getByRole("grid", { name: "users" }).getByRole("link", { name: email }));

  await press(page, button(page, "Actions"));
  await page.getByRole("menuitem", { name: "Ban…" }).waitFor();
  await page.keyboard.type("ban");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await tabTo(page, dialog.getByLabel("Reason"));
  await page.keyboard.type("Spam");
  await press(page, dialog.getByRole("button", { name: "Ban user" }), "Space");
  await page.getByText("banned and signed out everywhere.").waitFor();
  expect((await trySignIn(system(), email)).status).toBe(403);

  await expect.poll(() => isFocused(button(page, "Actions"))).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Unban…" }).waitFor();
  await page.keyboard.type("unban");
  await page.keyboard.press("Enter");
  await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Unban" }));
  // Needs an exact match, because the dialog's text before it begins with the same words.
  await page.getByText(`${email} unbanned.`, { exact: true }).waitFor();
  expect((await trySignIn(system(), email)).status).toBe(200);
});
