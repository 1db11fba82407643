import { openFirstRun } from "@latchkey/identity/commands";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { password, signUp } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { takePicture } from "./take-picture.ts";
import { webConfig } from "./web-users.ts";
import { matrixTest } from "../harness/matrix.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

const fillIn = async (page: Page, again = password) => {
  await page.getByLabel("Name").fill("Grace");
  await page.getByLabel("Email").fill("grace@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(again);
  await page.getByRole("button", { name: "Create admin account" }).click();
};

matrixTest("rejects a link that was never printed, and says how to get another one", async () => {
  const page = await openPage();
  for (const [address, reason] of [
    ["/first-run", "Open the link that Latchkey printed"],
    ["/first-run#token=made-up", "This link is no longer valid"],
  ] as const) {
    await page.goto(url(address));
    await page.getByText(reason).waitFor();
    await page.getByText("npx latchkey create-admin").waitFor();
    await expectAccessible(page);
  }
});

/** Attack: the token is found in an access log, or in the browser's history. */
test("a printed link creates the first admin, keeps its token out of all addresses, and works once", async () => {
  const token = (await openFirstRun(system().settings)) ?? "";
  expect(token).not.toBe("");
  const page = await openPage();
  const requestedUrls: string[] = [];
  page.on("request", (request) => requestedUrls.push(request.url()));
  await page.goto(url(`/first-run#token=${token}`));
  await page.getByRole("heading", { level: 1, name: "First admin" }).waitFor();
  await page.getByLabel("Name").waitFor();
  expect(page.url()).toBe(url("/first-run"));
  expect(await page.evaluate(() => JSON.stringify(window.history.state))).not.toContain(token);
  await expectAccessible(page);
  await takePicture(page, "first-run-light");
  await fillIn(page, "something else");
  await page.getByText("The passwords do not match.").waitFor();
  await fillIn(page);
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.getByRole("button", { name: "Account of Grace" }).waitFor();
  // The server receives an address without its fragment.
  expect(requestedUrls.filter((address) => address.split("#")[0]?.includes(token))).toEqual([]);
  const other = await openPage();
  await other.goto(url(`/first-run#token=${token}`));
  await other.getByText("This link is no longer valid").waitFor();
});

/** A real browser posts the form with its Origin, follows the redirect under the policy, and runs no script. */
test("a mailed link opened in another browser acts by the button on its page, without a script", async () => {
  const { browser, email } = await signUp(system());
  await browser.post("/send-verification-email", { email });
  const link = (await system().smtp.waitForMail(email)).links[0] ?? "";
  const page = await openPage();
  await page.goto(link);
  await page.getByRole("heading", { level: 1, name: "Verify your email" }).waitFor();
  await expectAccessible(page);
  await takePicture(page, "mailed-link-light");
  const plain = await openPage({ javaScriptEnabled: false });
  await plain.goto(link);
  await plain.getByRole("button", { name: "Verify email" }).click();
  await plain.waitForURL(/\/account$/);
  const shown = (await (await browser.get("/get-session")).json()) as {
    user: { emailVerified: boolean };
  };
  expect(shown.user.emailVerified).toBe(true);
});
