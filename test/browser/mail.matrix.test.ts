import { brandColors, brandingOptions } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { createFailedMail, requestPasswordReset, untilMails } from "../harness/mails.ts";
import { openRows } from "../harness/rows.ts";
import { signUp, signUpAs, type TestUser } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt } from "./look-at.ts";
import { takePicture } from "./take-picture.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { admin: adminOptions, ...others } = webConfig;
const { system, openPage, url } = webTests({
  config: {
    ...others,
    admin: {
      roles: {
        ...adminOptions.roles,
        postmaster: { delivery: ["list"] },
        reader: { delivery: ["list", "read"] },
      },
    },
  },
});

const hostileSubject = `<img src=x onerror="alert(1)"> \u202Egnp.exe ${"W".repeat(10_000)} 🦊`;

let operator: TestUser;
let ada: TestUser;
beforeAll(async () => {
  operator = await signUpAs(system(), "admin");
  ada = await signUp(system());
  await requestPasswordReset(ada);
  await untilMails(operator, ada.email, "sent");
});

const rows = (page: Page) => page.getByRole("grid", { name: "emails" }).locator("tbody > tr");
const drawer = (page: Page) => page.getByRole("dialog", { name: "Email" });

const frame = (page: Page) => page.getByTitle("Email preview");

const inFrame = (page: Page, selector: string) =>
  frame(page).evaluate(
    (element: HTMLIFrameElement, asked) =>
      element.contentDocument?.querySelector<HTMLElement>(asked)?.innerText,
    selector,
  );

/** Returns the background of buttons in mails, as browsers write it. */
const buttonBackground = (): string => {
  const { solid } = brandColors(brandingOptions.parse({}).color).light;
  const parts = [1, 3, 5].map((start) => Number.parseInt(solid.slice(start, start + 2), 16));
  return `rgb(${parts.join(", ")})`;
};

const openMail = async (search = "") => {
  const page = await openPage();
  const admin = await signInAsAdmin(page, system());
  await page.goto(url(`/mail${search}`));
  await page.getByRole("heading", { level: 1, name: "Emails" }).waitFor();
  return { page, admin };
};

const openDrawer = async (page: Page, email: string) => {
  await page.getByRole("link", { name: email }).first().click();
  await drawer(page).getByText("password-reset.requested").waitFor();
};

describe("the list of mails", () => {
  test("searches by recipient and filters by state, both kept in its address", async () => {
    const { page } = await openMail();
    await rows(page).getByText(ada.email).waitFor();
    await page.getByRole("searchbox", { name: "Search by recipient" }).fill(ada.email);
    await page.waitForURL(({ searchParams }) => searchParams.has("q"));
    await page.getByText("1 email", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Failed" }).click();
    await page.getByText("No results").waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ q: ada.email, state: "failed" });
    await matrixStep(async () => {
      await page.reload();
      await page.getByText("No results").waitFor();
    });
    await expectAccessible(page);
  });

  matrixTest("reports a missing reply, and retries", async () => {
    const { page } = await openMail("?state=sent");
    await rows(page).getByText(ada.email).waitFor();
    const deliveries = "**/admin/deliveries?*";
    await page.route(deliveries, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(url("/mail"));
    await page.getByRole("alert").getByText("The request failed.").waitFor();
    await expectAccessible(page);
    await page.unroute(deliveries);
    await page.getByRole("button", { name: "Try again" }).click();
    await rows(page).getByText(ada.email).waitFor();
  });

  matrixTest(
    "shows hostile subjects and addresses as text without breaking the layout",
    async () => {
      const eve = await signUp(system());
      await requestPasswordReset(eve);
      await untilMails(operator, eve.email, "sent");
      const recipient = `${"x".repeat(300)}@example.com`;
      const sql = openRows(system());
      await sql.query(
        "update mailer.delivery set subject = $1, recipient = $2 where recipient = $3",
        hostileSubject,
        recipient,
        eve.email,
      );
      await sql.close();
      const { page } = await openMail("?q=xxxxxx");
      await rows(page).getByText("<img src=x").waitFor();
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(wide).toBe(false);
      await page.getByRole("link", { name: recipient }).click();
      await drawer(page).getByText("<img src=x").waitFor();
      expect(
        await drawer(page).evaluate((element) => element.scrollWidth > element.clientWidth),
      ).toBe(false);
      await takePicture(page, "mail-hostile");
    },
  );
});

describe("one mail", () => {
  test("shows its content only on request, in a sandboxed frame", async () => {
    const { page, admin } = await openMail();
    await openDrawer(page, ada.email);
    const sql = openRows(system());
    const readings = () =>
      sql.query(
        "select 1 from mailer.audit where action = 'delivery.read' and actor_id = $1",
        admin.user.id,
      );
    expect(await readings()).toHaveLength(0);
    await page.getByRole("button", { name: "Read email" }).click();
    await expect.poll(() => inFrame(page, "body")).toContain("Choose a new password");
    // Scripts of the test cannot run in the frame either, so it is examined from outside.
    const look = await frame(page).evaluate((element: HTMLIFrameElement) => {
      const button = element.contentDocument?.querySelector("a");
      return {
        background: button && getComputedStyle(button).backgroundColor,
        linkCount: element.contentDocument?.querySelectorAll("[href], [src]").length,
        sandbox: element.sandbox.value,
      };
    });
    expect(look).toEqual({
      background: buttonBackground(),
      linkCount: 0,
      sandbox: "allow-same-origin",
    });
    expect(await readings()).toHaveLength(1);
    await sql.close();
    await takePicture(page, "mail-preview");
    await page.getByRole("tab", { name: "Plain text" }).click();
    await page.getByRole("region", { name: "Plain text of the email" }).waitFor();
    await expectAccessible(page);
    await drawer(page).getByText("If you use it, the recipient cannot").waitFor();
    expect(await drawer(page).getByRole("link", { name: "Open the link" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await drawer(page).waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("id")).toBe(null);
  });

  matrixTest("shows a retry in place, with the reason of every attempt", async () => {
    const { page, admin } = await openMail();
    const bob = await signUp(system());
    await createFailedMail(system(), admin, bob);
    await page.goto(url(`/mail?state=failed&q=${encodeURIComponent(bob.email)}`));
    await rows(page).getByText("550").waitFor();
    await openDrawer(page, bob.email);
    const state = (name: string) => drawer(page).locator("dl").getByText(name, { exact: true });
    const attempts = drawer(page).getByRole("region", { name: "Attempts" }).getByRole("listitem");
    await state("Failed").waitFor();
    await attempts.getByText("550").waitFor();
    await page.evaluate("window.isAsBefore = true");
    system().smtp.mails.length = 0;
    system().smtp.refuse("temporary");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Retrying.").waitFor();
    await attempts.nth(1).waitFor();
    await attempts.first().getByText("451").waitFor();
    await state("Retrying").waitFor();
    await expectAccessible(page);
    await takePicture(page, "mail-attempts");
    system().smtp.refuse("none");
    await system().smtp.waitForMail(bob.email);
    await state("Sent").waitFor();
    await attempts.first().getByText("Sent", { exact: true }).waitFor();
    await attempts.last().getByText("550").waitFor();
    expect(await page.evaluate("window.isAsBefore")).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByText("No results").waitFor();
  });

  matrixTest("is retried with all failed mails of the filtered list", async () => {
    const { page, admin } = await openMail();
    const users = [await signUp(system()), await signUp(system())];
    for (const user of users) await createFailedMail(system(), admin, user);
    await page.goto(url("/mail?state=failed"));
    for (const { email } of users) await rows(page).getByText(email).waitFor();
    await page.getByRole("checkbox", { name: /^Select all/ }).click();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Retry" }).click();
    await page.getByText(/^(\d+) of \1 done$/).waitFor();
    await page.getByRole("button", { name: "Close" }).last().click();
    for (const { email } of users) await system().smtp.waitForMail(email);
    await page.getByText("No results").waitFor();
  });

  matrixTest("reports each of several retried mails that cannot be retried", async () => {
    const { page, admin } = await openMail();
    const [bob, eve] = [await signUp(system()), await signUp(system())];
    await createFailedMail(system(), admin, bob);
    await requestPasswordReset(eve);
    await untilMails(admin, eve.email, "sent");
    await page.goto(url("/mail"));
    for (const { email } of [bob, eve])
      await page.getByRole("checkbox", { name: new RegExp(`Select .* to ${email}`) }).click();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Retry" }).click();
    await page.getByText("1 of 2 done, 1 failed").waitFor();
    const failures = page.getByRole("list", { name: "What failed" });
    await failures.getByText("Delivery has not failed").waitFor();
    expect(await failures.innerText()).toContain(eve.email);
  });

  test("is not shown to an admin who may only list mails", async () => {
    const page = await openPage();
    await signInAs(page, system(), "postmaster");
    await page.goto(url("/mail"));
    await openDrawer(page, ada.email);
    await drawer(page).getByText("You do not have permission to read emails").waitFor();
    expect(await page.getByRole("button", { name: "Read email" }).count()).toBe(0);
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });

  test("is not shown if it has a link and the reader is no admin, with the reason", async () => {
    const page = await openPage();
    await signInAs(page, system(), "reader");
    await page.goto(url("/mail"));
    await openDrawer(page, ada.email);
    await page.getByRole("button", { name: "Read email" }).click();
    await drawer(page).getByText("Only admins can see other links").waitFor();
    expect(await frame(page).count()).toBe(0);
  });
});

matrixTest("mails are accessible in both themes", async () => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url("/mail"));
  await rows(page).first().getByRole("link").waitFor();
  await lookAt(page, "mail");
  await openDrawer(page, ada.email);
  await page.getByRole("button", { name: "Read email" }).click();
  await expect.poll(() => inFrame(page, "body")).toContain("Choose a new password");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await takePicture(page, `mail-drawer-${colorScheme}`);
  }
});

matrixTest("is refused to an admin who may not list mails", async () => {
  const page = await openPage();
  await signInAs(page, system(), "support");
  await page.goto(url("/mail"));
  await page.getByRole("alert").getByText("Ask an admin who has this permission.").waitFor();
});
