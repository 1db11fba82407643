import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { createOrganization } from "../harness/organizations.ts";
import { signUp, type TestUser } from "../harness/users.ts";
import { hostileText } from "./hostile-text.ts";
import { lookAt } from "./look-at.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const config = {
  ...webConfig,
  admin: { roles: { ...webConfig.admin.roles, looker: { organization: ["list", "get"] } } },
};
const { system, openPage, url } = webTests({ config });

const rows = (page: Page) => page.getByRole("grid").locator("tbody:not([aria-hidden]) > tr");
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const names = (page: Page) => rows(page).getByRole("link").allInnerTexts();

const openAsAdmin = async (search = "") => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/organizations${search}`));
  return page;
};

matrixTest("explains in an empty list how organizations are created", async () => {
  const page = await openAsAdmin();
  await page.getByText("No organizations yet").waitFor();
  await lookAt(page, "organizations-empty");
});

describe("the list of organizations", () => {
  let owner: TestUser;

  beforeAll(async () => {
    owner = await signUp(system());
    await createOrganization(owner, { name: "Zebra Works", slug: "zebra" });
    await createOrganization(owner, { name: "Acme", slug: "first-of-all" });
    await matrixStep(async () => {
      for (let index = 0; index < 60; index += 1)
        await createOrganization(owner, { name: `Guild ${String(index).padStart(2, "0")}` });
    });
    await createOrganization(owner, {
      name: hostileText,
      slug: `slug-${hostileText}`.slice(0, 255),
    });
  });

  matrixTest("shows the newest first, fifty per page", async () => {
    const page = await openAsAdmin();
    await page.getByText("63 organizations").waitFor();
    await expect.poll(() => rows(page).count()).toBe(50);
    await rows(page).first().getByRole("gridcell", { name: hostileText, exact: true }).waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("link", { name: "Zebra Works" }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(13);
    await page.getByRole("button", { name: "Previous" }).click();
    await expect.poll(() => rows(page).count()).toBe(50);
  });

  test("shows hostile names as text without breaking the layout", async () => {
    const page = await openAsAdmin("?q=slug-");
    await rows(page).getByRole("gridcell", { name: hostileText, exact: true }).waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    await lookAt(page, "organizations");
  });

  matrixTest("is searched by name and by slug, and sorted by the server", async () => {
    const page = await openAsAdmin();
    const box = page.getByRole("searchbox", { name: "Search by name or slug" });
    await box.fill("zebra");
    await page.getByText("1 organization", { exact: true }).waitFor();
    await box.fill("first-of");
    await page.getByRole("link", { name: "Acme" }).waitFor();
    await box.fill("no such thing");
    await page.getByText("No results").waitFor();
    await page.getByRole("button", { name: "Clear search" }).click();
    await page.getByRole("columnheader", { name: "Organization" }).getByRole("button").click();
    await expect.poll(async () => (await names(page)).at(1)).toBe("Acme");
    await page.getByRole("columnheader", { name: "Organization" }).getByRole("button").click();
    await expect.poll(async () => (await names(page))[0]).toBe("Zebra Works");
    expect([param(page, "sort"), param(page, "dir")]).toEqual(["name", "desc"]);
  });

  matrixTest("opens one by its link, and by keyboard alone", async () => {
    const page = await openAsAdmin("?q=zebra");
    await page.getByRole("link", { name: "Zebra Works" }).click();
    await page.getByRole("heading", { level: 1, name: "Zebra Works" }).waitFor();
    await page.goBack();
    await rows(page).first().getByRole("link").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Zebra Works" }).waitFor();
  });

  matrixTest("deletes several at once, after stating the consequences", async () => {
    const page = await openAsAdmin("?q=guild 0");
    await page.getByText("10 organizations").waitFor();
    await page.getByRole("checkbox", { name: "Select Guild 00" }).click();
    await page.getByRole("checkbox", { name: "Select Guild 01" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete 2 organizations?" });
    await dialog.getByText("Their users are kept.").waitFor();
    expect(await dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type delete to confirm").fill("delete");
    await lookAt(page, "organizations-delete");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("2 of 2 done").waitFor();
    await page.getByRole("button", { name: "Close" }).first().click();
    await page.getByText("8 organizations").waitFor();
  });

  matrixTest("reports an invalid cursor, and links to the first page", async () => {
    const page = await openAsAdmin("?cursor=nonsense");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
    await lookAt(page, "organizations-error");
    await page.getByRole("button", { name: "First page" }).click();
    await rows(page).first().waitFor();
  });

  matrixTest("offers no changes to an admin who may only read", async () => {
    const page = await openPage();
    await signInAs(page, system(), "looker");
    await page.goto(url("/organizations"));
    await rows(page).first().waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });

  matrixTest(
    "is refused to an admin who may not list organizations, with advice whom to ask",
    async () => {
      const page = await openPage();
      await signInAs(page, system(), "support");
      await page.goto(url("/organizations"));
      await page.getByText("Ask an admin who has this permission.").waitFor();
    },
  );
});

matrixTest("creates an organization for a user, with a slug from its name", async () => {
  const user = await signUp(system());
  const existing = await createOrganization(user);
  const page = await openAsAdmin();
  await page.getByRole("button", { name: "Create organization" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create organization" });
  await dialog.getByRole("button", { name: "Create organization" }).click();
  await dialog.getByText("Choose a user.").waitFor();
  await lookAt(page, "organization-create");
  await dialog.getByLabel("Name").fill("Bolt & Söhne");
  expect(await dialog.getByLabel("Slug").inputValue()).toBe("bolt-sohne");
  await dialog.getByLabel("Slug").fill(existing.slug);
  await dialog.getByLabel("Owner").fill(user.email);
  await page.getByRole("option", { name: user.email }).click();
  await dialog.getByLabel("Metadata").fill('{"plan":"big"}');
  await dialog.getByRole("button", { name: "Create organization" }).click();
  await dialog.getByText("Organization already exists").waitFor();
  await dialog.getByLabel("Slug").fill(`${existing.slug}-2`);
  await dialog.getByRole("button", { name: "Create organization" }).click();
  await page.getByText("Bolt & Söhne created.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Bolt & Söhne" }).waitFor();
  await page.getByRole("link", { name: user.email }).waitFor();
});
