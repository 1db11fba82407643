import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { testSecret } from "../harness/stores.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt, lookWideAndNarrow } from "./look-at.ts";
import { takePicture } from "./take-picture.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const trusted = "https://app.example.com";
const { system, openPage, url } = webTests({
  config: { ...webConfig, trustedOrigins: [trusted], appName: `Acme ${"<b>x</b>".repeat(500)}` },
  environment: { LOG_LEVEL: "error" },
});

const rows = (page: Page) => page.getByRole("tabpanel").locator("tbody > tr");
const group = (page: Page, name: string) => page.getByRole("table", { name, exact: true });
const row = (page: Page, name: string) =>
  rows(page).filter({ has: page.getByRole("link", { name, exact: true }) });

const openSettings = async (search = "") => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/settings${search}`));
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  return page;
};

describe("options", () => {
  test("are found by their name and value, and shown with their source", async () => {
    const page = await openSettings();
    await rows(page).nth(20).waitFor();
    await expect
      .poll(() => group(page, "General").getByRole("row").nth(1).innerText())
      .toMatch(/^appName[^]*Default:\s*Latchkey/);
    const box = page.getByRole("searchbox", { name: "Search options" });
    await box.fill("trustedOrigins");
    await row(page, "trustedOrigins").getByText("File").waitFor();
    await row(page, "trustedOrigins").getByText(trusted).waitFor();
    await row(page, "trustedOrigins").getByText("Default: []").waitFor();
    await box.fill("app.example.com");
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("app.example.com");
    await page.reload();
    await page.getByText("1 option", { exact: true }).waitFor();
    expect(await box.inputValue()).toBe("app.example.com");
    await box.fill("");
    await matrixStep(async () => {
      await page.getByRole("combobox", { name: "Source" }).click();
      await page.getByRole("option", { name: "Environment" }).click();
      await row(page, "logger.level").getByText("Environment").waitFor();
      await expect.poll(() => row(page, "trustedOrigins").count()).toBe(0);
      await page.getByRole("combobox", { name: "Source" }).click();
      await page.getByRole("option", { name: "Any source" }).click();
    });
    await page.getByRole("button", { name: "Changed only" }).click();
    await row(page, "trustedOrigins").waitFor();
    expect(await row(page, "account.enabled").count()).toBe(0);
    await lookWideAndNarrow(page, "settings-changed");
    await matrixStep(async () => {
      await box.fill("there is no such option");
      await page.getByText("No results").waitFor();
      await expectAccessible(page);
    });
  });

  test("are masked in the table and in the details if they are secret", async () => {
    const page = await openSettings("?q=secret");
    await row(page, "secret").getByText("Secret, masked:").waitFor();
    await page.getByRole("link", { name: "secret", exact: true }).click();
    await page.getByRole("region", { name: "Value of secret" }).waitFor();
    await page.getByText("Secret parts are masked").waitFor();
    await page.getByText("Set the environment variable AUTH_SECRET, or secret in the").waitFor();
    await expectAccessible(page);
    expect(await page.content()).not.toContain(testSecret);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "secret" }).waitFor({ state: "detached" });
  });

  test("show hostile values as text, in full only on request", async () => {
    const page = await openSettings("?q=appName");
    await row(page, "appName").getByText("<b>x</b>").waitFor();
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      ),
    ).toBe(false);
    await row(page, "appName").getByRole("link").press("Enter");
    await page.getByRole("region", { name: "Value of appName" }).waitFor();
    await takePicture(page, "settings-hostile");
  });

  matrixTest("report why they cannot be read, and load again", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    const settings = /auth\/admin\/settings$/;
    await page.route(settings, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(url("/settings"));
    await page.getByRole("alert").getByText("The request failed.").waitFor();
    await expectAccessible(page);
    await page.unroute(settings);
    await page.getByRole("button", { name: "Try again" }).click();
    await rows(page).nth(20).waitFor();
  });
});

describe("the redirect tester", () => {
  const submit = async (page: Page, place: string, field?: string) => {
    await page.getByLabel("URL or path").fill(place);
    if (field !== undefined) {
      await page.getByRole("combobox", { name: "Field" }).click();
      await page.getByRole("option", { name: field, exact: true }).click();
    }
    await page.getByRole("button", { name: "Test" }).click();
  };

  test("reports whether a target is allowed, and why", async () => {
    const page = await openSettings();
    await page.getByRole("tab", { name: "Redirect tester" }).click();
    await submit(page, `${trusted}/welcome`);
    await page.getByText("Allowed", { exact: true }).waitFor();
    await page.getByText(`It matches ${trusted} in trustedOrigins.`).waitFor();
    await matrixStep(() => expectAccessible(page));
    await submit(page, "https://evil.example/", "errorCallbackURL");
    await page.getByText("Refused", { exact: true }).waitFor();
    await page.getByText("Add https://evil.example to it to allow this URL.").waitFor();
    await page.getByText("Invalid errorCallbackURL").waitFor();
    await submit(page, "javascript:alert(1)");
    await page.getByText("Its scheme runs script").waitFor();
    await submit(page, `/${"x".repeat(2000)}<script>`);
    await page.getByText("A relative path begins with one slash").waitFor();
    await expectAccessible(page);
    await matrixStep(async () => {
      await page.reload();
      await page.getByLabel("URL or path").waitFor();
    });
  });

  matrixTest(
    "requires a target before it sends a request, and reports why the server did not answer",
    async () => {
      const page = await openSettings("?tab=redirects");
      await page.getByRole("button", { name: "Test" }).click();
      await page.getByText("Enter the URL or path to test.").waitFor();
      await expectAccessible(page);
      await page.route("**/test-redirect", (route) => route.fulfill({ status: 500, body: "" }));
      await submit(page, "/welcome");
      await page.getByRole("alert").getByText("The request failed.").waitFor();
    },
  );

  matrixTest("is opened from anywhere with the palette", async () => {
    const page = await openSettings();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill("test a redir");
    await page.keyboard.press("Enter");
    await page.getByLabel("URL or path").waitFor();
  });
});

matrixTest("settings are accessible in both themes", async () => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url("/settings"));
  await rows(page).nth(20).waitFor();
  await lookAt(page, "settings");
  await page.getByRole("tab", { name: "Redirect tester" }).click();
  await page.getByLabel("URL or path").fill("https://evil.example/");
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByText("Refused", { exact: true }).waitFor();
  await lookAt(page, "redirects");
});

matrixTest("settings are refused to an admin who may not read them", async () => {
  const page = await openPage();
  await signInAs(page, system(), "support");
  await page.goto(url("/settings"));
  await page.getByRole("alert").getByText("Ask an admin who has this permission.").waitFor();
});

matrixTest("an IP address is unblocked from anywhere by the palette", async () => {
  const page = await openSettings();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill("unblock");
  await page.getByRole("option", { name: "Unblock IP address" }).click();
  const box = page.getByRole("textbox", { name: "IP address" });
  await box.fill("192.0.2");
  await page.getByRole("button", { name: "Unblock" }).click();
  await page.getByText("Enter an IP address such as 203.0.113.7.").waitFor();
  await expectAccessible(page);
  await box.fill("192.0.2.7");
  await page.getByRole("button", { name: "Unblock" }).click();
  await page.getByText("192.0.2.7 was not rate limited.").waitFor();
});
