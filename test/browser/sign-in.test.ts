import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { matrix, matrixTest } from "../harness/matrix.ts";
import { password, setRole, signUp, signUpAs } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url, accountUrl } = webTests({ config: webConfig });

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const fillIn = async (page: Page, email: string) => {
  await page.waitForURL(accountUrl("/sign-in*"));
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
};

describe("signing in at the account web", () => {
  test.each(matrix("/users?q=ada&by=name", "/users/no%20one"))(
    "leads an admin back to the requested page %s",
    async (path) => {
      const admin = await signUpAs(system(), "admin");
      const page = await openPage();
      await page.goto(url(path));
      await fillIn(page, admin.email);
      await page.waitForURL(url(path));
      await page.getByRole("button", { name: /^Account of/ }).waitFor();
    },
  );

  test("reports to a user that they are not an admin, and offers to sign out", async () => {
    const { email } = await signUp(system());
    const page = await openPage();
    await page.goto(url("/users"));
    await fillIn(page, email);
    await page.getByText("This account has no access to the admin web").waitFor();
    await page.getByText(email).waitFor();
    await lookWideAndNarrow(page, "not-an-admin");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });
});

describe("while signed in", () => {
  const loadAgain = (page: Page) => page.getByRole("button", { name: "Refresh" }).click();

  const onUsers = async () => {
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    await page.goto(url("/users?by=name"));
    await page.getByRole("row").nth(1).waitFor();
    return { page, admin };
  };

  test("a demoted admin's next action removes all data and shows the reason", async () => {
    const { page, admin } = await onUsers();
    await setRole(system(), admin.user.id, "user");
    await loadAgain(page);
    await page.getByText("This account has no access to the admin web").waitFor();
    expect(await page.getByRole("row").count()).toBe(0);
  });

  test("a signed-out admin's next action leads to the sign-in page, with the reason, and back", async () => {
    const { page, admin } = await onUsers();
    expect((await admin.browser.post("/revoke-sessions", {})).status).toBe(200);
    await loadAgain(page);
    await page.getByText("Your session has ended").waitFor();
    await fillIn(page, admin.email);
    await page.waitForURL(url("/users?by=name"));
    await page.getByRole("row").nth(1).waitFor();
  });

  matrixTest("an admin opens their own account beside the screen", async () => {
    const { page, admin } = await onUsers();
    const opening = page.waitForEvent("popup");
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Your account" }).click();
    const account = await opening;
    await account.waitForURL(accountUrl("/security?session=own"));
    await account.getByRole("link", { name: "Profile" }).first().click();
    await account.waitForURL(accountUrl("/profile?session=own"));
    await account.getByText(`You are signed in as ${admin.email}.`).waitFor();
    await heading(page, "Users").waitFor();
  });

  test("an admin with some permissions sees links to the permitted screens only", async () => {
    const page = await openPage();
    await signInAs(page, system(), "support");
    await page.goto(url("/"));
    const ways = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
    await ways.first().waitFor();
    expect(await ways.allInnerTexts()).toEqual(["Home", "Users"]);
  });
});
