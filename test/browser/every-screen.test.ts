import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
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
    deviceAuthorization: { enabled: true },
    magicLink: { enabled: true },
    multiSession: { enabled: true },
    oauthProvider: { enabled: true },
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
  expect(new URL(page.url()).pathname).toBe(new URL(address).pathname);
  expect(await page.getByRole("alert").allTextContents(), address).toEqual([]);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  expect(await overflowOf(page), address).toBe(0);
};

const signedOutPaths = ["/sign-in", "/sign-up", "/forgot-password", "/done", "/error"];
const accountPaths = [
  "/",
  "/profile",
  "/security",
  "/sessions",
  "/activity",
  "/api-keys",
  "/applications",
  "/choose",
  "/device",
  "/organizations",
  "/organizations/$organizationId",
  "/data",
];
const adminPaths = [
  "/",
  "/users",
  "/users/$userId",
  "/organizations",
  "/organizations/$organizationId",
  "/api-keys",
  "/api-keys/$keyId",
  "/clients",
  "/clients/$clientId",
  "/webhooks",
  "/webhooks/$webhookId",
  "/events",
  "/mail",
  "/queues",
  "/audit",
  "/signing-keys",
  "/settings",
  "/branding",
];
/** Screens that are part of a flow, which other tests follow. */
const inFlows = {
  account: [
    "/change-email",
    "/complete-profile",
    "/confirm",
    "/consent",
    "/continue",
    "/delete-account",
    "/invitation/$id",
    "/log-out",
    "/organizations/$organizationId/webhooks/$webhookId",
    "/reset-password",
    "/verify-email",
  ],
  admin: ["/first-run"],
};

/** Returns the paths of the routes of a web, as its sources declare them. */
const routesOf = async (web: string): Promise<string[]> => {
  const sources = join(import.meta.dirname, "..", "..", "apps", web, "src");
  const paths: string[] = [];
  for await (const file of glob("{routes,screens}/**/*rout*.{ts,tsx}", { cwd: sources }))
    for (const [, path = ""] of readFileSync(join(sources, file), "utf8").matchAll(
      /^ {2}path: "([^"]+)",$/gm,
    ))
      paths.push(path);
  return paths.toSorted();
};

test("every screen is looked at here, or is part of a flow", async () => {
  const { account, admin } = inFlows;
  expect([...signedOutPaths, ...accountPaths, ...account].toSorted()).toEqual(
    await routesOf("account-web"),
  );
  expect([...adminPaths, ...admin].toSorted()).toEqual(await routesOf("admin-web"));
});

test("every screen for signed-out users is shown", async () => {
  const page = await openPage();
  for (const path of signedOutPaths) await look(page, accountUrl(path));
});

test("every screen for signed-in users and for admins is shown, with an object of each kind", async () => {
  const page = await openPage();
  const person = await signInAsAdmin(page, system());
  const ids: Record<string, string> = {
    userId: person.user.id,
    organizationId: (await createOrganization(person)).id,
    keyId: (await createKey(person, { name: "Deployment" })).id,
  };
  const client = callOperation<{ client_id: string }>(person, operations.oauth.createOauthClient, {
    body: { client_name: "Grafana", redirect_uris: ["https://grafana.example.com/callback"] },
  });
  ids["clientId"] = (await expectOk(client)).client_id;
  const webhook = callOperation<{ id: string }>(person, operations.webhooks.adminCreateWebhook, {
    body: { url: "http://127.0.0.1:9/", events: ["organization.deleted"] },
  });
  ids["webhookId"] = (await expectOk(webhook)).id;
  const withIds = (path: string) =>
    path.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name] ?? "");
  for (const path of accountPaths) await look(page, accountUrl(withIds(path)));
  for (const path of adminPaths) await look(page, url(withIds(path)));
});
