import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { freePort } from "@latchkey/testkit";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { build, type InlineConfig, preview, type PreviewServer } from "vite";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { runCommand } from "../../libs/testkit/src/run-command.ts";
import { startSystem, type System } from "../harness/start-system.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import type {} from "./browser-setup.ts";

const root = join(import.meta.dirname, "..", "compat", "ui-kit");

let system: System;
let server: PreviewServer;
let origin: string;
let pages: string;
let browser: Browser;
beforeAll(async () => {
  // Its packages are not those of the workspace: `npm ci` of the project stays small.
  if (!existsSync(join(root, "node_modules")))
    expect(await runCommand("npm", ["ci", "--ignore-scripts", "--prefix", root])).toBe(0);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  pages = await mkdtemp(join(tmpdir(), "latchkey-kit-"));
  system = await startSystem({
    stores: "postgres",
    config: {
      appURL: origin,
      emailVerification: { sendOnSignUp: false },
      magicLink: { enabled: true },
      username: { enabled: true },
      apiKey: { enableSessionForAPIKeys: true },
      organization: { teams: { enabled: true }, dynamicAccessControl: { enabled: true } },
    },
  });
  const config: InlineConfig = {
    root,
    configFile: false,
    logLevel: "error",
    plugins: [react()],
    define: { "import.meta.env.VITE_LATCHKEY_URL": JSON.stringify(system.url) },
    resolve: { alias: { "@triplit/react": join(root, "absent.js") } },
    build: { outDir: pages, emptyOutDir: true },
    preview: { port, host: "127.0.0.1", strictPort: true },
  };
  await build(config);
  server = await preview(config);
  browser = await chromium.connect(inject("browserUrl"));
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.close();
  await system?.stop();
  await rm(pages, { recursive: true, force: true });
});

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Shows that a change was made, as the kit reports it. */
const expectToast = (page: Page, text: string | RegExp) =>
  page.getByRole("listitem").filter({ hasText: text }).waitFor();

const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true });

/** The part of the page's client that tests use. */
interface KitWindow {
  authClient: {
    organization: {
      createRole: (input: object) => Promise<unknown>;
      inviteMember: (input: object) => Promise<{ data: { id: string } }>;
    };
  };
}

let context: BrowserContext;
let page: Page;
/** Returns the row of a team or member that the kit shows. */
const cellOf = (text: string) =>
  page
    .locator('[data-slot="card"]')
    .filter({ hasText: text, has: page.getByRole("button") })
    .last();
const readOwn = async <Body>(path: string) =>
  (await (await context.request.get(system.url + path)).json()) as Body;
/** The kit may read these in the moment in which it signs out. */
const readWhileSigningOut = new Set(["/organization/list", "/organization/get-full-organization"]);
/** The requests that Latchkey refused. */
const refused: string[] = [];
const email = newEmail();
beforeAll(async () => {
  context = await browser.newContext({ viewport: { width: 1200, height: 1000 } });
  page = await context.newPage();
  page.on("response", (response) => {
    if (!response.url().startsWith(system.url) || response.status() < 400) return;
    const path = response.url().slice(system.url.length);
    if (response.status() === 401 && readWhileSigningOut.has(path)) return;
    refused.push(`${response.status()} ${response.request().method()} ${path}`);
  });
});

test("signs up, out and in", async () => {
  await page.goto(`${origin}/auth/sign-up`);
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("Username").fill("ada_lovelace");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await button(page, "Create an account").click();
  await page.getByText("Signed in.").waitFor();
  await page.goto(`${origin}/auth/sign-out`);
  await page.waitForURL(`${origin}/auth/sign-in`);
  for (const name of ["ada_lovelace", email]) {
    await page.goto(`${origin}/auth/sign-in`);
    await page.getByRole("textbox", { name: "Username" }).fill(name);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await button(page, "Login").click();
    await page.getByText("Signed in.").waitFor();
    await page.getByText("Ada Lovelace").waitFor();
    await context.clearCookies();
  }
  expect(refused).toEqual([]);
});

test("sends a link to sign in by email, and one to reset the password", async () => {
  await page.goto(`${origin}/auth/magic-link`);
  await page.getByRole("textbox").first().fill(email);
  await button(page, /magic link/i)
    .first()
    .click();
  expect((await system.smtp.waitForMail(email)).text).toContain("/magic-link/verify");
  await page.goto(`${origin}/auth/forgot-password`);
  await page.getByRole("textbox").first().fill(email);
  await button(page, /reset/i).click();
  await page.waitForURL(`${origin}/auth/sign-in`);
  await expect
    .poll(() => system.smtp.mails.some(({ text }) => text.includes("/reset-password/")))
    .toBe(true);
  expect(refused).toEqual([]);
});

test("changes the profile, the password, and sets up a second factor", async () => {
  const data = { email, password };
  await context.request.post(`${system.url}/sign-in/email`, { data });
  await page.goto(`${origin}/account/settings`);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ada King");
  await button(page, "Save").nth(1).click();
  await expectToast(page, "Name updated");
  await page.goto(`${origin}/account/security`);
  await page.getByText("Current Session").waitFor();
  await page.getByRole("textbox", { name: "Current Password" }).fill(password);
  await page.getByRole("textbox", { name: "New Password" }).fill(`${password}!`);
  await button(page, "Save").click();
  await expectToast(page, /password/i);
  await button(page, "Enable Two-Factor").click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Password" }).fill(`${password}!`);
  await inDialog(page, "Enable Two-Factor").click();
  await page
    .getByText(/backup codes/i)
    .first()
    .waitFor();
  expect(refused).toEqual([]);
});

test("creates an API key that works", async () => {
  await page.goto(`${origin}/account/api-keys`);
  await button(page, "Create API Key").click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("mine");
  await inDialog(page, "Create API Key").click();
  const shown = page.getByRole("dialog", { name: "API Key Created" }).getByText(/^\w{64}$/);
  const key = await shown.innerText();
  const session = await fetch(`${system.url}/get-session`, { headers: { "x-api-key": key } });
  expect(await session.json()).toMatchObject({ user: { email } });
  expect(refused).toEqual([]);
});

test("creates an organization, renames it and invites a member", async () => {
  await page.goto(`${origin}/account/organizations`);
  await button(page, "Create Organization").click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Acme");
  await page.getByRole("dialog").getByRole("textbox", { name: "Slug URL" }).fill("acme");
  await inDialog(page, "Create Organization").click();
  await expectToast(page, "Organization created");
  await page.goto(`${origin}/organization/settings`);
  await page.getByPlaceholder("Acme Inc.").fill("Acme Works");
  await button(page, "Save").first().click();
  await expectToast(page, /updated/i);
  await page.goto(`${origin}/organization/members`);
  await button(page, "Invite Member").click();
  const invited = newEmail();
  await page.getByRole("dialog").getByRole("textbox", { name: "Email" }).fill(invited);
  await inDialog(page, "Send Invitation").click();
  await page.getByText(invited).waitFor();
  expect((await system.smtp.waitForMail(invited)).subject).toContain("Acme Works");
  expect(refused).toEqual([]);
});

test("creates a team, adds a member and makes the team active", async () => {
  await page.goto(`${origin}/organization/teams`);
  await button(page, "Create Team").click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Team Name" }).fill("Sales");
  await inDialog(page, "Create Team").click();
  await expectToast(page, "Team created successfully");
  await page.goto(`${origin}/organization/members`);
  await cellOf("Ada King").getByRole("button").click();
  await page.getByRole("menuitem", { name: "Update Teams" }).click();
  await inDialog(page, "Add").click();
  await expectToast(page, "Team member added successfully");
  await page.goto(`${origin}/account/teams`);
  const active = page.getByRole("button", { name: "Active", exact: true });
  expect(await active.count()).toBe(0);
  await cellOf("Sales").getByRole("button", { name: "Set Active" }).click();
  await active.waitFor();
  const { session } = await readOwn<{ session: { activeTeamId: string } }>("/get-session");
  const teams = await readOwn<{ id: string; name: string }[]>("/organization/list-user-teams");
  expect(teams.find(({ id }) => id === session.activeTeamId)?.name).toBe("Sales");
  expect(refused).toEqual([]);
});

test("gives a member a role that the organization has made, and shows what it permits", async () => {
  const grace = await signUp(system, { name: "Grace Hopper" });
  const invitationId = await page.evaluate(async (to) => {
    const { organization } = (window as unknown as KitWindow).authClient;
    await organization.createRole({ role: "lead", permission: { team: ["create"] } });
    const { data } = await organization.inviteMember({ email: to, role: "member" });
    return data.id;
  }, grace.email);
  await grace.browser.post("/organization/accept-invitation", { invitationId });
  const mayCreateTeams = async () =>
    (
      await grace.browser.post("/organization/has-permission", {
        permissions: { team: ["create"] },
      })
    ).json();
  expect(await mayCreateTeams()).toMatchObject({ success: false });
  await page.goto(`${origin}/organization/members`);
  await cellOf("Grace Hopper").getByRole("button").click();
  await page.getByRole("menuitem", { name: "Update Role" }).click();
  await page.getByRole("dialog").getByRole("combobox").click();
  await page.getByRole("option", { name: "Lead" }).click();
  await inDialog(page, "Update Role").click();
  await expectToast(page, "Member role updated successfully");
  await cellOf("Grace Hopper").getByText("Lead", { exact: true }).waitFor();
  expect(await mayCreateTeams()).toMatchObject({ success: true });
  expect(refused).toEqual([]);
});
