import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createKey } from "../harness/api-keys.ts";
import { callOperation, expectOk } from "../harness/operations.ts";
import { createOrganization } from "../harness/organizations.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { overflowOf } from "./overflow-of.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

// One look at each screen of both webs. Other files test what the screens do, most of them in the matrix.

expectNoLeaks("file");
const { system, openPage, url, accountUrl } = webTests({
  config: {
    ...webConfig,
    apiKey: { enabled: true },
    magicLink: { enabled: true },
  },
});

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

/** Opens the screen. axe finds nothing serious there, and nothing is wider than a phone. A page that misbehaves fails the test. */
const look = async (page: Page, address: string): Promise<void> => {
  await page.setViewportSize(desktop);
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("alert").allTextContents(), address).toEqual([]);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  expect(await overflowOf(page), address).toBe(0);
};

test("every screen for signed-out users is shown", async () => {
  const page = await openPage();
  for (const path of ["/sign-in", "/sign-up", "/forgot-password", "/done", "/error"])
    await look(page, accountUrl(path));
});

test("every screen for signed-in users and for admins is shown, with an object of each kind", async () => {
  const page = await openPage();
  const person = await signInAsAdmin(page, system());
  const { id: organizationId } = await createOrganization(person);
  const { id: keyId } = await createKey(person, { name: "Deployment" });
  const { id: webhookId } = await expectOk(
    callOperation<{ id: string }>(person, operations.webhooks.adminCreateWebhook, {
      body: { url: "http://127.0.0.1:9/", events: ["organization.deleted"] },
    }),
  );
  for (const path of [
    "/",
    "/profile",
    "/security",
    "/sessions",
    "/activity",
    "/api-keys",
    "/organizations",
    `/organizations/${organizationId}`,
    "/data",
  ])
    await look(page, accountUrl(path));
  for (const path of [
    "/",
    "/users",
    `/users/${person.user.id}`,
    "/organizations",
    `/organizations/${organizationId}`,
    "/api-keys",
    `/api-keys/${keyId}`,
    "/webhooks",
    `/webhooks/${webhookId}`,
    "/events",
    "/mail",
    "/queues",
    "/audit",
    "/signing-keys",
    "/settings",
    "/branding",
  ])
    await look(page, url(path));
});
