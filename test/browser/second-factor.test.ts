import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { appOf, enableApp } from "../harness/second-factor.ts";
import { password, signUp, signUpAs } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({
  config: {
    ...webConfig,
    // A session that began before the second factor was turned on lives on, and lacks its proof.
    twoFactor: { required: { roles: ["support"] }, revokeOtherSessions: false },
  },
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const appCode = (page: Page) => page.getByLabel("Authenticator code");

/** Returns the app that has read the key which the page shows as text. */
const readApp = async (page: Page) => {
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const key = (await page.locator("code").innerText()).replaceAll(" ", "");
  return appOf(`otpauth://totp/x?secret=${key}`);
};

const enterPassword = async (page: Page, email: string) => {
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password").fill(password);
  await button(page, "Sign in").click();
};

test("an admin signs in with an app code after a wrong one, at the requested page", async () => {
  const admin = await signUpAs(system(), "admin");
  const app = await enableApp(admin);
  const page = await openPage();
  await page.goto(url("/users"));
  await enterPassword(page, admin.email);
  await appCode(page).fill("000000");
  await expectAccessible(page);
  await button(page, "Sign in").click();
  const alert = page.getByRole("alert");
  await alert.getByText("Invalid code.").waitFor();
  await alert.getByText("Enter the latest code.").waitFor();

  await button(page, "Use a backup code").click();
  await page.getByLabel("Backup code").waitFor();
  await button(page, "Use authenticator app").click();
  await appCode(page).fill(app.codeAt(0));
  await page.getByRole("checkbox", { name: "Trust this browser" }).check();
  await button(page, "Sign in").click();
  await heading(page, "Users").waitFor();
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name.split(".").at(-1))).toContain("trust_device");
});

test("an admin who must have a second factor sets up an app in the sign-in", async () => {
  const person = await signUpAs(system(), "support");
  const page = await openPage();
  await page.goto(url("/"));
  await enterPassword(page, person.email);
  await button(page, "Set up an app").click();
  const app = await readApp(page);
  await expectAccessible(page);
  await appCode(page).fill(app.codeAt(0));
  await button(page, "Turn on").click();
  const codes = page.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  await expectAccessible(page);
  const downloading = page.waitForEvent("download");
  await button(page, "Download codes").click();
  expect((await downloading).suggestedFilename()).toMatch(/backup codes\.txt$/);
  await button(page, "I have saved these codes").click();
  await heading(page, "Home").waitFor();
});

test("an action that lacks a proof asks for a code and is then repeated", async () => {
  const page = await openPage();
  const admin = await signInAsAdmin(page, system());
  const app = await enableApp(admin);
  const { user } = await signUp(system());
  await page.goto(url(`/users/${user.id}?do=impersonate`));
  await page.getByRole("textbox", { name: "Reason" }).fill("ticket 4711");
  await button(page, "Create link").click();
  const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
  await dialog.getByLabel("Authenticator code").fill(app.codeAt(0));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("link", { name: "Open as Ada" }).waitFor();
});

matrixTest(
  "an admin without a second factor is warned, and sets one up on the account page",
  async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/"));
    await page.getByRole("link", { name: "Set up an authenticator app" }).click();
    await heading(page, "Your account").waitFor();
    await button(page, "Set up an app").click();
    const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
    await dialog.getByLabel("Your password").fill(password);
    await dialog.getByRole("button", { name: "Set up an app" }).click();
    const app = await readApp(page);
    await appCode(page).fill(app.codeAt(0));
    await button(page, "Turn on").click();
    const codes = page.getByRole("list", { name: "Backup codes" });
    await button(page, "Print codes").waitFor();
    await page.emulateMedia({ media: "print" });
    await codes.getByRole("listitem").first().waitFor();
    expect(await page.locator("button:visible, h1:visible").count()).toBe(0);
    await page.emulateMedia({ media: null });
    await button(page, "I have saved these codes").click();
    await page.getByText("No trusted browsers").waitFor();
    await button(page, "Turn off").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Users" }).click();
    await heading(page, "Users").waitFor();
    expect(await page.getByRole("link", { name: "Protect it" }).count()).toBe(0);
  },
);

matrixTest("an admin turns codes by email on by the first one", async () => {
  const page = await openPage();
  const { email } = await signInAsAdmin(page, system());
  await page.goto(url("/account"));
  await button(page, "Turn on email codes").click();
  await button(page, "Send code").click();
  const mail = await system().smtp.waitForMail(
    ({ to, text }) => to.includes(email) && /\b\d{6}\b/.test(text),
  );
  await page
    .getByRole("textbox", { name: "Email code" })
    .fill(/\b\d{6}\b/.exec(mail.text)?.[0] ?? "");
  await expectAccessible(page);
  await button(page, "Turn on").click();
  await page.getByText("Email codes are on.").waitFor();
  await button(page, "Turn off").waitFor();
  expect(await button(page, "Turn on email codes").count()).toBe(0);
});

matrixTest(
  "a bulk action asks once for a proof that its rows lack, and then runs on all of them",
  async () => {
    const people = await Promise.all([signUp(system()), signUp(system())]);
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    const app = await enableApp(admin);
    let isProven = false;
    page.on("response", (answer) => {
      if (answer.url().endsWith("/two-factor/verify-totp")) isProven = answer.ok();
    });
    await page.route("**/admin/ban-user", (route) => {
      if (isProven) return route.continue();
      const details = { requires: "second-factor" };
      return route.fulfill({ status: 403, json: { code: "SESSION_IS_NOT_FRESH", details } });
    });
    await page.goto(url("/users"));
    for (const { email } of people)
      await page.getByRole("checkbox", { name: `Select ${email}` }).click();
    await button(page, "Ban").click();
    await page.getByRole("dialog").getByRole("button", { name: "Ban" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await dialog.getByLabel("Authenticator code").fill(app.codeAt(0));
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByText("2 of 2 done").waitFor();
  },
);
