import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { matrix, matrixTest } from "../harness/matrix.ts";
import { signUp, type TestUser } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { takePicture } from "./take-picture.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

interface Named {
  id: string;
}
let somebody: TestUser;
let organization: Named;
let key: Named;

beforeAll(async () => {
  somebody = await signUp(system());
  const answers = await Promise.all([
    somebody.browser.post("/organization/create", { name: "Blue Harbour", slug: "blue-harbour" }),
    somebody.browser.post("/api-key/create", { name: "Invoices", prefix: "inv_" }),
  ]);
  [organization, key] = (await Promise.all(answers.map((answer) => answer.json()))) as [
    Named,
    Named,
  ];
});

const box = (page: Page) => page.getByRole("combobox", { name: "Search" });

/** Opens the palette on a page that is used by keyboard only. */
const openPalette = async (page: Page) => {
  await page.goto(url("/"));
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.keyboard.press("ControlOrMeta+k");
  await box(page).waitFor();
};

const asAdmin = async () => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await openPalette(page);
  return page;
};

const chosen = (page: Page) => page.locator("[role=option][data-highlighted]");

const typeAndGo = async (page: Page, text: string, option: RegExp) => {
  await page.keyboard.type(text);
  await page.getByRole("option", { name: option }).waitFor();
  for (let steps = 0; steps < 12; steps += 1) {
    if (option.test(await chosen(page).innerText())) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await box(page).waitFor({ state: "hidden" });
};

describe("the palette, by keyboard alone", () => {
  matrixTest("opens any screen", async () => {
    const page = await asAdmin();
    await expectAccessible(page);
    await takePicture(page, "palette-light");
    await page.keyboard.type("aud");
    await expect.poll(() => chosen(page).innerText()).toContain("Audit log");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  });

  test("finds a user by a part of the address, and by the id", async () => {
    for (const text of matrix(somebody.email.slice(0, 8), somebody.user.id)) {
      const page = await asAdmin();
      await expectAccessible(page);
      await typeAndGo(page, text, new RegExp(somebody.email));
      await page.waitForURL(url(`/users/${somebody.user.id}`));
    }
  });

  matrixTest("offers what was opened last, and acts on the person found", async () => {
    const page = await asAdmin();
    await typeAndGo(page, somebody.email, new RegExp(somebody.email));
    await page.waitForURL(url(`/users/${somebody.user.id}`));
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("option", { name: new RegExp(somebody.email) }).waitFor();
    await lookWideAndNarrow(page, "palette-recent");
    await typeAndGo(page, `${somebody.email} ban`, /^Ban Ada/);
    await page.waitForURL(url(`/users/${somebody.user.id}?do=ban`));
    await page.getByRole("dialog", { name: /^Ban/ }).waitFor();
  });

  matrixTest("finds an organization by its name, its slug and its id", async () => {
    for (const text of ["Blue Har", "BLÜE har", "blue-harbour", organization.id]) {
      const page = await asAdmin();
      await typeAndGo(page, text, /Blue Harbour/);
      await page.waitForURL(url(`/organizations/${organization.id}`));
    }
  });

  matrixTest("finds an API key by its first characters, and by its id", async () => {
    for (const text of ["inv_", key.id]) {
      const page = await asAdmin();
      await typeAndGo(page, text, /Invoices/);
      await page.waitForURL(url(`/api-keys/${key.id}`));
    }
  });

  matrixTest("searches the audit log for an IP address or an id", async () => {
    for (const text of ["203.0.113.7", somebody.user.id]) {
      const page = await asAdmin();
      await typeAndGo(page, text, /Entries of the audit log/);
      await page.waitForURL((address) => address.searchParams.get("q") === text);
      await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
    }
  });

  matrixTest("opens no result of an earlier text", async () => {
    const page = await asAdmin();
    const option = page.getByRole("option", { name: /Blue Harbour/ });
    await page.keyboard.type("blue-harbour");
    await option.waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/admin/list-users*", async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.type("-of-tomorrow");
    await option.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.getByText("Searching…").waitFor();
    release();
    await page.getByText("No results.").waitFor();
    expect(page.url()).toBe(url("/"));
  });

  matrixTest("reports that nothing matches", async () => {
    const page = await asAdmin();
    await page.keyboard.type("nobody has this name");
    await page.getByText("No results.").waitFor();
    await expectAccessible(page);
  });

  matrixTest("changes the theme, and signs out", async () => {
    const page = await asAdmin();
    await typeAndGo(page, "dark", /Theme/);
    await page.locator("html[data-theme=dark]").waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    await expectAccessible(page);
    await typeAndGo(page, "sign out", /Sign out/);
    await page.getByText("You have signed out.").waitFor();
  });

  matrixTest("closes by Escape, and returns the focus", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/"));
    const opener = page.getByRole("button", { name: "Search" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await box(page).waitFor();
    await page.keyboard.press("Escape");
    await box(page).waitFor({ state: "hidden" });
    await expect.poll(() => opener.evaluate((element) => element.matches(":focus"))).toBe(true);
  });

  matrixTest("opens while a row of a list has the focus", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/users"));
    await page.getByRole("row").nth(2).getByRole("link").focus();
    await page.keyboard.press("ControlOrMeta+k");
    await box(page).waitFor();
  });

  test("offers only what its user may see", async () => {
    const page = await openPage();
    await signInAs(page, system(), "support");
    await openPalette(page);
    await page.getByRole("option", { name: "Users" }).waitFor();
    expect(await page.getByRole("option", { name: "Audit log" }).count()).toBe(0);
    await page.keyboard.type(somebody.email);
    await page.getByRole("option", { name: new RegExp(somebody.email) }).waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("blue-harbour");
    await page.getByText("No results.").waitFor();
  });
});
