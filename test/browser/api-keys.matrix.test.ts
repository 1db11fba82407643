import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { createOrganization } from "../harness/organizations.ts";
import { createKeyFor, verificationCode } from "../harness/api-keys.ts";
import { signUp, type TestUser } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { hostileText } from "./hostile-text.ts";
import { lookAt } from "./look-at.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const config = {
  ...webConfig,
  apiKey: { maximumNameLength: 255, organizationKeys: { enabled: true } },
  admin: { roles: { ...webConfig.admin.roles, looker: { apiKey: ["list"] } } },
};
const { system, openPage, url } = webTests({ config });

const rows = (page: Page) => page.getByRole("grid").locator("tbody:not([aria-hidden]) > tr");
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

const openAsAdmin = async (search = "") => {
  const page = await openPage();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signInAsAdmin(page, system());
  await page.goto(url(`/api-keys${search}`));
  return page;
};

matrixTest("explains in an empty list how keys are created", async () => {
  const page = await openAsAdmin();
  await page.getByText("No API keys yet").waitFor();
  await lookAt(page, "api-keys-empty");
});

describe("the list of keys", () => {
  let owner: TestUser;
  let other: TestUser;

  beforeAll(async () => {
    [owner, other] = await Promise.all([signUp(system()), signUp(system())]);
    await matrixStep(async () => {
      for (let index = 0; index < 55; index += 1)
        await createKeyFor(system(), owner, { name: `Key ${index}`, prefix: "bulk_" });
    });
    await createKeyFor(system(), other, { name: "Deploys", prefix: "deploy_", remaining: 1200 });
    await createKeyFor(system(), other, { name: hostileText, expiresIn: 864_000 });
  });

  matrixTest(
    "shows the newest first with owner, state and remaining uses, fifty per page",
    async () => {
      const page = await openAsAdmin();
      await page.getByText("57 keys").waitFor();
      const deploys = rows(page).filter({ hasText: "Deploys" });
      await deploys.getByRole("link", { name: other.email }).waitFor();
      await deploys.getByText("Active").waitFor();
      await deploys.getByText("1,200").waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await expect.poll(() => rows(page).count()).toBe(7);
      await page.getByRole("link", { name: "Key 0", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Key 0" }).waitFor();
    },
  );

  matrixTest("searches by the beginning of a key and by its whole prefix", async () => {
    const page = await openAsAdmin();
    const box = page.getByRole("searchbox", { name: "Search keys" });
    await box.fill("deploy");
    await page.getByText("1 key", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Search in" }).click();
    await page.getByRole("option", { name: "Prefix", exact: true }).click();
    await page.getByText("No results").waitFor();
    await box.fill("deploy_");
    await page.getByText("1 key", { exact: true }).waitFor();
    expect([param(page, "q"), param(page, "by")]).toEqual(["deploy_", "prefix"]);
  });

  matrixTest("filters by owner and by state, both kept in its address", async () => {
    const page = await openAsAdmin();
    await page.getByRole("combobox", { name: "Owner" }).fill(other.email);
    await page.getByRole("option", { name: other.email }).click();
    await page.getByText("2 keys", { exact: true }).waitFor();
    expect(param(page, "userId")).toBe(other.user.id);
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Disabled" }).click();
    await page.getByText("No results").waitFor();
    await page.reload();
    await page.getByText("No results").waitFor();
    await page.getByRole("button", { name: `Keys of ${other.email}` }).click();
    await expect.poll(() => param(page, "userId")).toBeNull();
  });

  matrixTest("shows hostile names as text without breaking the layout", async () => {
    const page = await openAsAdmin(`?userId=${other.user.id}`);
    await rows(page).getByRole("link", { name: hostileText, exact: true }).waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    await lookAt(page, "api-keys");
  });

  matrixTest("disables, enables and deletes several keys at once", async () => {
    const person = await signUp(system());
    const keys = await Promise.all(
      ["one", "two"].map((name) => createKeyFor(system(), person, { name })),
    );
    const page = await openAsAdmin(`?userId=${person.user.id}`);
    const act = async (label: string, typed?: string) => {
      await page.getByRole("checkbox", { name: "Select all keys on this page" }).click();
      await page.getByRole("button", { name: label, exact: true }).click();
      const dialog = page.getByRole("alertdialog", { name: `${label} 2 keys?` });
      if (typed) await dialog.getByLabel("Type delete to confirm").fill(typed);
      await dialog.getByRole("button", { name: label, exact: true }).click();
      await page.getByText("2 of 2 done").waitFor();
      await page.getByRole("button", { name: "Close" }).first().click();
    };
    await rows(page).first().waitFor();
    await act("Disable");
    await expect.poll(() => page.getByText("Disabled by admin").count()).toBe(2);
    expect(await verificationCode(system(), keys[0]?.key ?? "")).toBe("KEY_DISABLED");
    await act("Enable");
    await expect.poll(() => page.getByText("Active").count()).toBe(2);
    await act("Delete", "delete");
    await page.getByText("No results").waitFor();
  });

  test("offers no changes to an admin who may only read, whatever the address says", async () => {
    const page = await openPage();
    await signInAs(page, system(), "looker");
    await page.goto(url("/api-keys?do=create"));
    await rows(page).first().waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Create key" }).count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  matrixTest("is refused to an admin who may not list keys, with advice whom to ask", async () => {
    const page = await openPage();
    await signInAs(page, system(), "support");
    await page.goto(url("/api-keys"));
    await page.getByText("Ask an admin who has this permission.").waitFor();
  });
});

describe("creating a key", () => {
  const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Create API key" });
  const made = (page: Page) => page.getByRole("dialog", { name: "API key created" });

  const begin = async () => {
    const owner = await signUp(system());
    const page = await openAsAdmin();
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Owner").fill(owner.email);
    await page.getByRole("option", { name: owner.email }).click();
    return { page, dialog, owner };
  };

  matrixTest("creates a key for an organization, which the list shows and filters by", async () => {
    const { id, name } = await createOrganization(await signUp(system()), { name: "Keyed Ltd" });
    const page = await openAsAdmin("?do=create");
    const dialog = dialogOf(page);
    await dialog.getByLabel("Owner").fill(name);
    await page.getByRole("option", { name: `${name} (organization)` }).click();
    await dialog.getByLabel("Name").fill("Theirs");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = await made(page).getByLabel("API key").inputValue();
    expect(await verificationCode(system(), key)).toBeNull();
    await made(page).getByRole("button", { name: "Copy key" }).click();
    await made(page).getByText("Copied.").waitFor();
    await made(page).getByRole("button", { name: "Done" }).click();
    await page.getByRole("combobox", { name: "Owner" }).fill(name);
    await page.getByRole("option", { name: `${name} (organization)` }).click();
    await page.getByText("1 key", { exact: true }).waitFor();
    expect(param(page, "organizationId")).toBe(id);
    await lookAt(page, "api-keys-organization");
    await rows(page)
      .getByRole("link", { name: new RegExp(name) })
      .click();
    await page.getByRole("tab", { name: "API keys" }).click();
    await rows(page).getByRole("link", { name: "Theirs" }).click();
    await page.getByRole("heading", { level: 1, name: "Theirs" }).waitFor();
    await page.getByRole("link", { name: new RegExp(name) }).waitFor();
  });

  matrixTest("describes the new key in plain words while the form is filled in", async () => {
    const { page, dialog } = await begin();
    const preview = dialog.getByRole("region", { name: "Limits and permissions" });
    await preview.getByText("Unlimited uses.").waitFor();
    await preview.getByText("Rate limit: 10 uses, reset after 1 day without use.").waitFor();
    await preview.getByText("Never expires.").waitFor();
    await dialog.getByLabel("Uses", { exact: true }).fill("100");
    await preview.getByText("100 uses, then it is deleted.").waitFor();
    await dialog.getByLabel("Refill to").fill("100");
    await dialog.getByLabel("Refill every (days)").fill("30");
    await preview.getByText("100 uses, refilled to 100 every 30 days.").waitFor();
    await dialog.getByRole("combobox", { name: "Rate limit" }).click();
    await page.getByRole("option", { name: "Custom rate limit" }).click();
    await dialog.getByLabel("Maximum uses").fill("5");
    await dialog.getByLabel("Time window").fill("2");
    await preview.getByText("Rate limit: 5 uses, reset after 2 hours without use.").waitFor();
    await dialog.getByLabel("Expires in (days)").fill("10");
    await preview.getByText(/^Expires on /).waitFor();
    await dialog.getByLabel("Permissions", { exact: true }).fill("files: read, write");
    await preview.getByText("Permissions: files (read, write).").waitFor();
    await lookAt(page, "api-key-create");
  });

  test("shows the key once, which then works and is stored nowhere in the browser", async () => {
    const { page, dialog } = await begin();
    await dialog.getByLabel("Name").fill("CI");
    await dialog.getByLabel("Uses", { exact: true }).fill("7");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = await made(page).getByLabel("API key").inputValue();
    await lookAt(page, "api-key-created");
    await made(page).getByRole("button", { name: "Copy key" }).click();
    await made(page).getByText("Copied.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    expect(await verificationCode(system(), key)).toBeNull();
    await made(page).getByRole("link", { name: "View key" }).click();
    await page.getByRole("heading", { level: 1, name: "CI" }).waitFor();
    await page.getByText("6 uses, then it is deleted.").waitFor();
    expect(await page.content()).not.toContain(key);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  matrixTest("warns before a key that was not copied is lost", async () => {
    const { page, dialog } = await begin();
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = made(page).getByLabel("API key");
    await key.waitFor();
    await page.keyboard.press("Control+k");
    expect(await page.getByRole("combobox", { name: "Search" }).count()).toBe(0);
    await page.evaluate("history.back()");
    await made(page).getByRole("alert").getByText("You have not copied the key.").waitFor();
    await expect.poll(() => param(page, "do")).toBe("create");
    await key.waitFor();
    await made(page).getByRole("button", { name: "Done" }).click();
    await made(page).waitFor({ state: "detached" });
    expect(param(page, "do")).toBeNull();
  });

  matrixTest("creates one key, however often the button is pressed", async () => {
    const { page, dialog } = await begin();
    let requestCount = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/admin/api-keys", async (route) => {
      if (route.request().method() === "POST") {
        requestCount += 1;
        await released;
      }
      await route.continue();
    });
    const press = (button: HTMLElement) => {
      for (let presses = 0; presses < 3; presses += 1) button.click();
    };
    await dialog.getByRole("button", { name: "Create key" }).evaluate(press);
    await expect.poll(() => dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.evaluate("history.back()");
    release();
    const key = await made(page).getByLabel("API key").inputValue();
    expect(await verificationCode(system(), key)).toBeNull();
    expect(requestCount).toBe(1);
    await made(page).getByRole("button", { name: "Copy key" }).click();
    await made(page).getByText("Copied.").waitFor();
    await page.keyboard.press("Escape");
    await made(page).waitFor({ state: "detached" });
  });

  matrixTest("reports invalid values at their fields without a request", async () => {
    const page = await openAsAdmin("?do=create");
    const dialog = dialogOf(page);
    await dialog.getByLabel("Prefix").fill("not this");
    await dialog.getByLabel("Uses", { exact: true }).fill("many");
    await dialog.getByLabel("Refill to").fill("5");
    await dialog.getByLabel("Permissions", { exact: true }).fill("files");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("Choose the owner of the key.").waitFor();
    await dialog.getByText("Use only letters, digits, - and _.").waitFor();
    await dialog.getByText("Enter a whole number.").waitFor();
    await dialog.getByText("Enter the days between refills.").waitFor();
    await dialog.getByText("Enter one resource per line").waitFor();
    await expectAccessible(page);
  });

  matrixTest("reports errors of the server at their fields", async () => {
    const { dialog } = await begin();
    await dialog.getByLabel("Expires in (days)").fill("400");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("The expiresIn is larger than the predefined maximum value.").waitFor();
  });

  matrixTest("is started from anywhere with the palette", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/organizations"));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill("create api key");
    await page.getByRole("option", { name: "Create API key" }).click();
    await dialogOf(page).waitFor();
  });
});
