import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { requestPasswordReset, untilMails } from "../harness/mails.ts";
import { signUp, signUpAs } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { takePicture } from "./take-picture.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { watchShifts } from "./watch-shifts.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({
  config: { ...webConfig, mail: { smtpUrl: undefined } },
});

test("without an SMTP server the screen is a mailbox whose links can be followed", async () => {
  const ada = await signUp(system());
  await requestPasswordReset(ada);
  await untilMails(await signUpAs(system(), "admin"), ada.email, "captured");
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url("/mail"));
  await page.getByText("Emails are kept here.").waitFor();
  await page.getByRole("link", { name: ada.email }).click();
  await page.getByRole("button", { name: "Read email" }).click();
  const link = page.getByRole("link", { name: "Open link in new tab" });
  await link.waitFor();
  await takePicture(page, "mailbox");
  await page.getByRole("tab", { name: "Plain text" }).click();
  await page.getByRole("region", { name: "Plain text of the email" }).waitFor();
  await expectAccessible(page);
  const href = (await link.getAttribute("href")) ?? "";
  expect(new URL(href).origin).toBe(system().origin);
  expect(new URL(href).pathname).toContain("/reset-password/");
  expect(await link.getAttribute("rel")).toContain("noreferrer");
});

matrixTest("an empty mailbox says which mails would appear in it", async () => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.route("**/admin/deliveries?*", (route) =>
    route.fulfill({ json: { deliveries: [], total: 0 } }),
  );
  await page.goto(url("/mail"));
  await page.getByText("No emails yet").waitFor();
  await expectAccessible(page);
});

matrixTest("the notice about the mailbox does not shift the mails", async () => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  const shifts = await watchShifts(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/admin/settings", async (route) => {
    await released;
    await route.continue();
  });
  const [listed] = await Promise.all([
    page.waitForResponse(/admin\/deliveries/),
    page.goto(url("/mail")),
  ]);
  await listed.finished();
  await page.getByRole("heading", { level: 1, name: "Emails" }).waitFor();
  release();
  await page.getByText("Emails are kept here.").waitFor();
  await page.getByRole("grid", { name: "emails" }).waitFor();
  expect(await shifts()).toEqual([]);
});
