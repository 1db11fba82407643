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
  for (const [address, reason] of [
    ["/first-run", "Open the link that Latchkey printed"],
    ["/first-run#token=made-up", "This link is not good any more"],
  ] as const) {
    await page.goto(url(address));
    await page.getByText(reason).waitFor();
    await page.getByText("npx latchkey create-admin").waitFor();
    await expectAccessible(page);
  }
});

/** Attack: the token is found in an access log, or in the browser's history. */
test("the printed link makes the first admin, signed in, and its token stays in no address; then it is closed", async () => {
  const token = (await openFirstRun(stack().settings)) ?? "";
  expect(token).not.toBe("");
  const page = await openPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(url(`/first-run#token=${token}`));
  await page.getByRole("heading", { level: 1, name: "First admin" }).waitFor();
  await page.getByLabel("Name").waitFor();
  expect(page.url()).toBe(url("/first-run"));
  expect(await page.evaluate(() => JSON.stringify(window.history.state))).not.toContain(token);
  await expectAccessible(page);
  await takePicture(page, "first-run-light");
  await fillIn(page, "something else");
  await page.getByText("This is not the same password.").waitFor();
  await fillIn(page);
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.getByRole("button", { name: "Account of Grace" }).waitFor();
  // What a server sees of an address ends before the fragment.
  expect(asked.filter((address) => address.split("#")[0]?.includes(token))).toEqual([]);
  const other = await openPage();
  await other.goto(url(`/first-run#token=${token}`));
  await other.getByText("This link is not good any more").waitFor();
});
