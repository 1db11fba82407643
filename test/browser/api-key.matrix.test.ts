import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import {
  apiKeyOperations,
  type ApiKeyUsage,
  type CreatedKey,
  createKeyFor,
  untilUsage,
  verificationCode,
} from "../harness/api-keys.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import { signUp, signUpAs, type TestUser } from "../harness/users.ts";
import { hostileText } from "./hostile-text.ts";
import { lookAt } from "./look-at.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const config = {
  ...webConfig,
  apiKey: { maximumNameLength: 255, enableMetadata: true },
  admin: { roles: { ...webConfig.admin.roles, looker: { apiKey: ["list"] } } },
};
const { system, openPage, url } = webTests({ config });

let rows: Rows;
beforeAll(() => {
  rows = openRows(system());
});
afterAll(() => rows.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

interface Opened {
  page: Page;
  owner: TestUser;
  key: CreatedKey;
}

const openKey = async (own: object = {}, search = ""): Promise<Opened> => {
  const owner = await signUp(system());
  const key = await createKeyFor(system(), owner, { name: "CI", ...own });
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/api-keys/${key.id}${search}`));
  await heading(page, key.name ?? "").waitFor();
  return { page, owner, key };
};

const usageOf = async (keyId: string): Promise<() => Promise<ApiKeyUsage>> => {
  const admin = await signUpAs(system(), "admin");
  return () =>
    expectOk(
      callOperation<ApiKeyUsage>(admin, apiKeyOperations.adminReadApiKeyUsage, {
        params: { id: keyId },
      }),
    );
};

describe("the screen of an API key", () => {
  matrixTest("shows its owner, and its limits in plain words", async () => {
    const { page, owner } = await openKey({
      remaining: 100,
      refillAmount: 100,
      refillInterval: 30,
      expiresIn: 864_000,
      permissions: { files: ["read"] },
    });
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByText("100 uses, refilled to 100 every 30 days.").waitFor();
    await page.getByText("Rate limit: 10 uses, reset after 1 day without use.").waitFor();
    await page.getByText(/^Expires on /).waitFor();
    await page.getByText("Permissions: files (read).").waitFor();
    await page.getByText("No uses in this period").waitFor();
    await page.getByRole("link", { name: owner.email }).click();
    await page.waitForURL(url(`/users/${owner.user.id}`));
  });

  matrixTest("shows its usage as a chart and as a table", async () => {
    const { page, key } = await openKey({ remaining: 2, rateLimitEnabled: false });
    for (let use = 0; use < 2; use += 1) await verificationCode(system(), key.key);
    await verificationCode(system(), key.key, { files: ["read"] });
    await untilUsage(await usageOf(key.id), { valid: 2, forbidden: 1 });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await rows.query(
      `insert into apikey.key_usage (key_id, user_id, day, valid) select key_id, user_id, $2, 40
       from apikey.key_usage where key_id = $1 limit 1`,
      key.id,
      yesterday,
    );
    await page.reload();
    await page
      .getByRole("img", { name: /^Uses by day from .*: valid 42, not permitted 1\. / })
      .waitFor();
    const table = page.getByRole("table", { name: "Uses by day" });
    await table.getByRole("row", { name: /^All days 42 0 0 0 0 1$/ }).waitFor();
    await table.getByRole("row", { name: `${yesterday} 40 0 0 0 0 0` }).waitFor();
    await page.getByRole("img", { name: /^Uses by day/ }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("today so far: 3 uses (valid 2, not permitted 1)").first().waitFor();
    await lookAt(page, "api-key");
    await page.getByRole("button", { name: /^Period/ }).click();
    await page.getByLabel("First day").fill(yesterday);
    await page.getByLabel("Last day").fill(yesterday);
    await page.getByRole("button", { name: "Apply" }).click();
    await table.getByRole("row", { name: /^All days 40 0 0 0 0 0$/ }).waitFor();
    expect(new URL(page.url()).search).toBe(`?from=${yesterday}&to=${yesterday}`);
  });

  matrixTest("edits its limits in a form, and sends only what changed", async () => {
    const { page, key } = await openKey({
      remaining: 100,
      refillAmount: 100,
      refillInterval: 30,
      rateLimitTimeWindow: 7_200_000,
      permissions: { files: ["read"] },
      metadata: { plan: "free" },
    });
    await verificationCode(system(), key.key);
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit CI" });
    const uses = dialog.getByLabel("Uses", { exact: true });
    expect(await uses.inputValue()).toBe("100");
    expect(await dialog.getByLabel("Time window").inputValue()).toBe("2");
    expect(await dialog.getByLabel("Metadata").inputValue()).toContain('"plan": "free"');
    await lookAt(page, "api-key-edit");
    await dialog.getByLabel("Maximum uses").fill("many");
    await dialog.getByRole("combobox", { name: "Expiry" }).click();
    await page.getByRole("option", { name: "Expires in some days" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter a whole number.").waitFor();
    await dialog.getByLabel("Maximum uses").fill("5");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter the number of days.").waitFor();
    await dialog.getByLabel("Expires in (days)").fill("10");
    await dialog.getByLabel("Permissions", { exact: true }).fill("files: read, write");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Key saved.").first().waitFor();
    // The use during the editing is not reverted.
    await page.getByText("99 uses, refilled to 100 every 30 days.").waitFor();
    await page.getByText("Rate limit: 5 uses, reset after 2 hours without use.").waitFor();
    await page.getByText("Permissions: files (read, write).").waitFor();
    await page.getByText(/^Expires on /).waitFor();
  });

  test("re-rolls it, shows the new key once, and then the grace period of the old one", async () => {
    const { page, key } = await openKey({ remaining: 100 });
    await page.getByRole("button", { name: "Re-roll" }).click();
    const dialog = page.getByRole("dialog", { name: "Re-roll CI" });
    await dialog.getByRole("combobox", { name: "Grace period of the old key" }).click();
    await page.getByRole("option", { name: "7 days" }).click();
    await matrixStep(() => lookAt(page, "api-key-reroll"));
    await dialog.getByRole("button", { name: "Re-roll key" }).click();
    const made = page.getByRole("dialog", { name: "New API key created" });
    const text = await made.getByLabel("API key").inputValue();
    await made.getByRole("button", { name: "Done" }).click();
    await made.getByRole("alert").getByText("You have not copied the key.").waitFor();
    expect(await verificationCode(system(), key.key)).toBeNull();
    expect(await verificationCode(system(), text)).toBeNull();
    await made.getByRole("button", { name: "Done" }).click();
    await made.waitFor({ state: "detached" });
    await page.getByText("Retired", { exact: true }).waitFor();
    await page.getByText(/^Retired, grace period until /).waitFor();
    expect(await page.getByRole("button", { name: /Edit|Re-roll/ }).count()).toBe(0);
    await lookAt(page, "api-key-retired");
    await page.getByRole("link", { name: "the new key" }).click();
    await page.getByText("98 uses, then it is deleted.").waitFor();
    expect(page.url()).not.toContain(key.id);
    await page.getByText("Active", { exact: true }).waitFor();
  });

  matrixTest("disables it after a confirmation, and enables it again", async () => {
    const { page, key } = await openKey();
    await page.getByRole("button", { name: "Disable" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Disable CI?" });
    await dialog.getByText("Only an admin can enable it again").waitFor();
    await lookAt(page, "api-key-disable");
    await dialog.getByRole("button", { name: "Disable key" }).click();
    await page.getByText("Disabled by admin").waitFor();
    expect(await verificationCode(system(), key.key)).toBe("KEY_DISABLED");
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    expect(await verificationCode(system(), key.key)).toBeNull();
  });

  matrixTest("deletes it after a confirmation", async () => {
    const { page, key } = await openKey();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete CI?" });
    await dialog.getByText("This cannot be undone").waitFor();
    await dialog.getByRole("button", { name: "Delete key" }).click();
    await page.waitForURL(url("/api-keys"));
    await page.getByText("Key deleted.").first().waitFor();
    expect(await verificationCode(system(), key.key)).toBe("INVALID_API_KEY");
    await page.goto(url(`/api-keys/${key.id}`));
    await page.getByText("API Key not found.").waitFor();
    await lookAt(page, "api-key-missing");
  });

  matrixTest("links to its audit entries", async () => {
    const { page, key } = await openKey();
    await page.getByRole("link", { name: "History" }).click();
    await page.waitForURL((there) => there.searchParams.get("subject") === key.id);
  });

  matrixTest("shows hostile data as text without breaking the layout", async () => {
    const { page } = await openKey({
      name: hostileText,
      permissions: { [hostileText.slice(0, 128)]: ["x".repeat(128)] },
      metadata: { [hostileText]: "W".repeat(10_000) },
    });
    await page.getByText("No uses in this period").waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    await lookAt(page, "api-key-hostile");
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByRole("region", { name: /as JSON$/ }).waitFor();
    await lookAt(page, "api-key-json");
  });

  matrixTest("ignores invalid days in its address", async () => {
    const { page } = await openKey({}, "?from=2026-99-99&to=yesterday");
    await page.getByText("No uses in this period").waitFor();
  });

  matrixTest("offers no changes to an admin who may only read", async () => {
    const key = await createKeyFor(system(), await signUp(system()), { name: "Theirs" });
    const page = await openPage();
    await signInAs(page, system(), "looker");
    await page.goto(url(`/api-keys/${key.id}`));
    await page.getByText("No uses in this period").waitFor();
    expect(
      await page.getByRole("button", { name: /Edit|Re-roll|Disable|Enable|Delete/ }).count(),
    ).toBe(0);
    expect(await page.getByRole("link", { name: "History" }).count()).toBe(0);
  });
});
