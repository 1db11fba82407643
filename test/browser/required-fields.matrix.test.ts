import { openFirstRun } from "@latchkey/identity/commands";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { startOpenIdProvider } from "../harness/providers/openid-provider.ts";
import { openRows } from "../harness/rows.ts";
import { reachable } from "../harness/social-sign-in.ts";
import { newEmail, password, setRole, signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { webTests } from "./web-tests.ts";
import { signIn, webConfig } from "./web-users.ts";

expectNoLeaks("file");
const provider = await startOpenIdProvider();
afterAll(() => provider.stop());

const { system, openPage, url, accountUrl } = webTests({
  config: {
    ...webConfig,
    advanced: reachable,
    socialProviders: {
      acme: { ...provider.client, issuer: provider.issuer, name: "Acme ID" },
      ...Object.fromEntries(
        ["github", "google", "gitlab", "discord", "twitch"].map((id) => [
          id,
          { clientId: id, clientSecret: id },
        ]),
      ),
    },
    account: { identifierFirst: true },
    magicLink: { enabled: true },
    emailOTP: { enabled: true },
    user: {
      additionalFields: {
        company: { type: "string" },
        seats: { type: "number" },
        locale: { type: "string" },
        badge: { type: "number", required: false, label: { en: "Badge number" } },
      },
    },
  },
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const fill = async (page: Page): Promise<void> => {
  await page.getByLabel("Company").fill("Acme");
  await page.getByLabel("Seats").fill("3");
};

const expectUser = async (page: Page, email: string, locale: string): Promise<void> => {
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  const session = await page.request.get(`${system().url}/get-session`);
  expect(await session.json()).toMatchObject({
    user: { email, company: "Acme", seats: 3, locale },
  });
};

test("a user without the required fields enters them before going on, and changes them in the profile", async () => {
  const user = await signUp(system(), { company: "Acme", seats: 1, locale: "en" } as object);
  const rows = openRows(system());
  const withoutFields = `update identity."user" set extra = '{"locale": "en"}' where id = $1`;
  await rows.query(withoutFields, user.user.id);
  await rows.close();
  const page = await openPage();
  await page.goto(accountUrl("/sign-in?redirect_to=%2Faccount%2Fprofile"));
  await page.getByLabel("Email or username").fill(user.email);
  await page.keyboard.press("Enter");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await heading(page, "Complete your profile").waitFor();
  await fill(page);
  await button(page, "Continue").click();
  await page.waitForURL(accountUrl("/profile"));
  await page.getByLabel("Badge number").fill("7");
  await page.getByLabel("Language of mails").selectOption({ label: "Deutsch" });
  await matrixStep(() => lookWideAndNarrow(page, "account-profile-fields"));
  await button(page, "Save").click();
  await page.getByText("Profile saved.").waitFor();
  await expectUser(page, user.email, "de");
});

test("the first admin enters the required fields", async () => {
  const token = (await openFirstRun(system().settings)) ?? "";
  const page = await openPage();
  await page.goto(url(`/first-run#token=${token}`));
  await page.getByLabel("Name").fill("Grace");
  await page.getByLabel("Email").fill("grace@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await button(page, "Create admin account").click();
  await page.getByText("Enter a value.").first().waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "first-run-required"));
  await page.getByLabel("company").fill("Acme");
  await page.getByLabel("seats").fill("3");
  await button(page, "Create admin account").click();
  await heading(page, "Home").waitFor();
});

test("a sign-up by a code asks for the required fields and takes the same code", async () => {
  const page = await openPage();
  const email = newEmail();
  await page.goto(accountUrl("/sign-in"));
  await button(page, "Continue with GitHub").waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);
  await page.getByLabel("Email or username").fill(email);
  await matrixStep(() => lookWideAndNarrow(page, "account-sign-in-identifier-first"));
  await page.keyboard.press("Enter");
  await page.locator("input[type=password]:focus").waitFor();
  await button(page, "Email me a code").click();
  const { text } = await system().smtp.waitForMail(email);
  await page.getByLabel("Code").fill(/\b\d{6}\b/.exec(text)?.[0] ?? "");
  await heading(page, "Complete your profile").waitFor();
  expect(await page.getByLabel("Locale").count()).toBe(0);
  await button(page, "Create account").click();
  await page.getByText("This is required.").first().waitFor();
  await lookWideAndNarrow(page, "account-complete-profile");
  await fill(page);
  await button(page, "Create account").click();
  await expectUser(page, email, "en");
});

matrixTest(
  "a sign-up by a link asks for the required fields before there is an account",
  async () => {
    const page = await openPage();
    const email = newEmail();
    await page.goto(accountUrl("/sign-in"));
    await page.getByLabel("Email or username").fill(email);
    await button(page, "Email me a sign-in link").click();
    await heading(page, "Check your inbox").waitFor();
    const { links } = await system().smtp.waitForMail(email);
    await page.goto(links[0] ?? "");
    await heading(page, "Complete your profile").waitFor();
    await fill(page);
    await button(page, "Create account").click();
    await expectUser(page, email, "en");
  },
);

test("a sign-up at a provider asks for the required fields, and leads on", async () => {
  const page = await openPage();
  const email = newEmail();
  provider.who = { sub: email, email, email_verified: true, name: "Ada" };
  await page.route("**/sign-in/social", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { url: string };
    const visited = await provider.visit(body.url);
    await route.fulfill({ response, json: { ...body, url: visited.url.href } });
  });
  await page.goto(accountUrl("/sign-in"));
  await button(page, "Continue with Acme ID").click();
  await heading(page, "Complete your profile").waitFor();
  await fill(page);
  await button(page, "Create account").click();
  await expectUser(page, email, "en");
});

matrixTest("an admin enters the required fields of a new and of an invited user", async () => {
  const person = await signUp(system(), { company: "Acme", seats: 1, locale: "en" } as object);
  await setRole(system(), person.user.id, "admin");
  const page = await openPage();
  await signIn(page, system(), person);
  for (const [open, action] of [
    ["Create user", "Create user"],
    ["Invite user", "Send invitation"],
  ] as const) {
    const email = newEmail();
    await page.goto(url("/users"));
    await page.getByRole("row").nth(1).waitFor();
    await button(page, open).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email", { exact: true }).fill(email);
    await dialog.getByLabel("Name", { exact: true }).fill("Grace");
    if (open === "Create user") await dialog.getByRole("button", { name: "Generate" }).click();
    await dialog.getByRole("button", { name: action }).click();
    await dialog.getByText("Enter a value.").first().waitFor();
    await lookWideAndNarrow(page, `users-required-${open === "Create user" ? "create" : "invite"}`);
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByLabel("company").fill("Acme");
    await dialog.getByLabel("seats").fill("3");
    await dialog.getByRole("combobox", { name: "locale" }).click();
    await page.getByRole("option", { name: "de" }).click();
    await dialog.getByRole("button", { name: action }).click();
    await page.getByRole("heading", { level: 1, name: "Grace" }).waitFor();
  }
});
