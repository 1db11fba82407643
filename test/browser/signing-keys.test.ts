import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt, lookWideAndNarrow } from "./look-at.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { watchShifts } from "./watch-shifts.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({
  config: {
    ...webConfig,
    admin: { roles: { ...webConfig.admin.roles, auditor: { signingKey: ["list"] } } },
  },
});

const keys = (page: Page) => page.getByRole("list", { name: "signing keys" });
const question = (page: Page) => page.getByRole("alertdialog", { name: "Rotate signing keys?" });

const openKeys = async (search = "") => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/signing-keys${search}`));
  return page;
};

const list = /auth\/admin\/signing-keys$/;
const aKey = {
  id: "k1",
  alg: "EdDSA",
  createdAt: "2026-01-02T03:04:05.000Z",
  state: "published",
  opens: false,
  signsAt: null,
  retiredAt: "2026-01-03T03:04:05.000Z",
  publishedUntil: null,
};

describe("signing keys", () => {
  test("are rotated after a confirmation of the consequences, and show their state", async () => {
    const page = await openKeys();
    await keys(page).getByText("Signing", { exact: true }).waitFor();
    await keys(page).getByText("It signs until the keys are rotated").waitFor();
    await page.getByRole("button", { name: "Rotate keys" }).click();
    await question(page).getByText("Nobody is signed out").waitFor();
    expect(new URL(page.url()).searchParams.get("rotate")).toBe("1");
    await expectAccessible(page);
    await question(page).getByRole("button", { name: "Cancel" }).click();
    await question(page).waitFor({ state: "detached" });
    expect(await keys(page).getByText("Next", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Rotate keys" }).click();
    await question(page).getByRole("button", { name: "Create new key" }).click();
    await page.getByText("is published and starts to sign soon.").waitFor();
    await keys(page).getByText("Next", { exact: true }).waitFor();
    await keys(page).getByText("Signing", { exact: true }).waitFor();
    await keys(page).getByText("The next key replaces it").waitFor();
    const { keys: published } = (await (await fetch(`${system().url}/jwks`)).json()) as {
      keys: { kid: string }[];
    };
    for (const { kid } of published) await keys(page).getByText(kid).waitFor();
    await lookWideAndNarrow(page, "signing-keys-next");
  });

  matrixTest("are opened from anywhere with the palette", async () => {
    const page = await openKeys();
    await keys(page).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill("rotate");
    await page.keyboard.press("Enter");
    await question(page).waitFor();
    await page.keyboard.press("Escape");
    await question(page).waitFor({ state: "detached" });
  });

  test("are reported with advice if they cannot be decrypted", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.route(list, (route) => route.fulfill({ json: { keys: [aKey] } }));
    await page.goto(url("/signing-keys"));
    await keys(page).getByText("Cannot be decrypted").waitFor();
    await page.getByText("Add the secret that encrypted it").waitFor();
    await expectAccessible(page);
  });

  matrixTest("load without shifting the layout, however many there are", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    const shifts = await watchShifts(page);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(list, async (route) => {
      await released;
      await route.fulfill({
        json: { keys: ["k1", "k2", "k3"].map((id) => Object.assign({}, aKey, { id })) },
      });
    });
    await page.goto(url("/signing-keys"));
    await keys(page).waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    release();
    await keys(page).getByText("k3").waitFor();
    expect(await shifts()).toEqual([]);
  });

  matrixTest("are reported as missing before the first token is signed", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.route(list, (route) => route.fulfill({ json: { keys: [] } }));
    await page.goto(url("/signing-keys"));
    await page.getByText("No signing keys yet").waitFor();
    await expectAccessible(page);
  });

  matrixTest("report why they cannot be read, and load again", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.route(list, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(url("/signing-keys"));
    await page.getByRole("alert").getByText("The request failed.").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await keys(page).getByText("Signing", { exact: true }).waitFor();
  });

  matrixTest("are read-only for an admin who may only list them", async () => {
    const page = await openPage();
    await signInAs(page, system(), "auditor");
    await page.goto(url("/signing-keys"));
    await keys(page).getByText("Signing", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Rotate keys" }).count()).toBe(0);
  });

  matrixTest("are accessible in both themes", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/signing-keys"));
    await keys(page).getByText("Signing", { exact: true }).waitFor();
    await lookAt(page, "signing-keys");
  });
});
