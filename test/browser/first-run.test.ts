import { openFirstRun } from "@latchkey/identity/commands";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { password } from "../contract/identity-people.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { takePicture } from "./take-picture.ts";
import { webConfig } from "./web-people.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { stack, openPage, url } = webTests({ config: webConfig });

const fillIn = async (page: Page, again = password) => {
  await page.getByLabel("Name").fill("Grace");
  await page.getByLabel("E-mail").fill("grace@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password again").fill(again);
  await page.getByRole("button", { name: "Create the first admin" }).click();
};

test("a link of which nothing was printed is closed, and says how to get another", async () => {
  const page = await openPage();
  for (const address of ["/first-run", "/first-run?token=made-up"]) {
    await page.goto(url(address));
    await page.getByText("This link is not good any more").waitFor();
    await page.getByText("npx latchkey create-admin").waitFor();
    await expectAccessible(page);
  }
});

test("the printed link makes the first admin, signed in; then it is closed", async () => {
  const token = (await openFirstRun(stack().settings)) ?? "";
  expect(token).not.toBe("");
  const page = await openPage();
  await page.goto(url(`/first-run?token=${token}`));
  await page.getByRole("heading", { level: 1, name: "First admin" }).waitFor();
  await page.getByLabel("Name").waitFor();
  await expectAccessible(page);
  await takePicture(page, "first-run-light");
  await fillIn(page, "something else");
  await page.getByText("This is not the same password.").waitFor();
  await fillIn(page);
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.getByRole("button", { name: "Account of Grace" }).waitFor();
  const other = await openPage();
  await other.goto(url(`/first-run?token=${token}`));
  await other.getByText("This link is not good any more").waitFor();
});
