import type { LatchkeyConfig } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { createKey } from "../harness/api-keys.ts";
import { requestPasswordReset, untilMails } from "../harness/mails.ts";
import { createOrganization } from "../harness/organizations.ts";
import { openRows } from "../harness/rows.ts";
import {
  callAdminInternal,
  isSessionToken,
  newEmail,
  password,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
} from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt, lookWideAndNarrow } from "./look-at.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const config = {
  ...webConfig,
  username: { enabled: true },
  user: {
    additionalFields: {
      plan: { type: ["small", "big"], required: false },
      seats: { type: "number", required: false },
    },
  },
} satisfies LatchkeyConfig;
const { system, openPage, url, accountUrl } = webTests({ config });

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const panel = (page: Page) => page.getByRole("tabpanel");

interface Opened {
  page: Page;
  person: TestUser;
  admin: TestUser;
}

const openUser = async (search = ""): Promise<Opened> => {
  const person = await signUp(system());
  const page = await openPage();
  const admin = await signInAsAdmin(page, system());
  await page.goto(url(`/users/${person.user.id}${search}`));
  await heading(page, "Ada").waitFor();
  return { page, person, admin };
};

const choose = async (page: Page, action: string) => {
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: action }).click();
};

/** Confirms an action, and waits for its success message. */
const confirm = async (page: Page, button: string, done: string) => {
  const dialog = page.getByRole("alertdialog");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: button }).click();
  await page.getByText(done).waitFor();
  await dialog.waitFor({ state: "hidden" });
};

/** Returns the user whom the application sees in the browser of a page. */
const userIdOf = async (page: Page): Promise<string> => {
  const answer = await page.request.get(`${system().url}/get-session`);
  return ((await answer.json()) as { user: { id: string } }).user.id;
};

/** Returns whether a page was not loaded again since it was marked. */
const isAsBefore = async (page: Page): Promise<boolean> =>
  (await page.evaluate("window.isAsBefore === true").catch(() => true)) === true;

describe("the screen of a user", () => {
  test("shows their data, their accounts, and everything as JSON", async () => {
    const { page, person } = await openUser();
    await panel(page).getByText(person.email).waitFor();
    await panel(page).getByText("Not verified").first().waitFor();
    await panel(page).getByText("password", { exact: true }).first().waitFor();
    await page.getByRole("tab", { name: "Accounts (1)" }).click();
    await panel(page).getByRole("cell", { name: "Password" }).waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("accounts");
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByRole("region", { name: "user as JSON" }).getByText(person.user.id).waitFor();
    await page.goBack();
    await panel(page).getByRole("cell", { name: "Password" }).waitFor();
  });

  test("edits their profile, keeps unsaved input and says what a new email means", async () => {
    const { page, person } = await openUser();
    await page.getByRole("link", { name: "Edit" }).click();
    const save = panel(page).getByRole("button", { name: "Save" });
    const changes = page.getByRole("list", { name: "Unsaved changes" });
    expect(await save.isDisabled()).toBe(true);
    const email = newEmail();
    await panel(page).getByLabel("Name", { exact: true }).fill("Grace");
    await panel(page).getByLabel("Email", { exact: true }).fill("grace");
    await panel(page).getByLabel("Username").fill("grace_h");
    await panel(page).getByRole("combobox", { name: "plan" }).click();
    await page.getByRole("option", { name: "big" }).click();
    await panel(page).getByLabel("seats").fill("many");
    await save.click();
    await panel(page).getByText("Enter an email such as name@example.com.").waitFor();
    await panel(page).getByText("Enter a number.").waitFor();
    await panel(page).getByLabel("Email", { exact: true }).fill(email);
    await panel(page).getByLabel("seats").fill("12");
    await changes.getByText(person.email).waitFor();
    await panel(page).getByText("Links sent to the old email stop working").waitFor();
    await lookAt(page, "user-profile");
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("tab", { name: "Overview" }).click();
    const question = page.getByRole("alertdialog", { name: "Discard changes?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await panel(page).getByLabel("seats").inputValue()).toBe("12");
    await page.reload();
    await changes.getByText(person.email).waitFor();
    expect(await panel(page).getByLabel("seats").inputValue()).toBe("12");
    await panel(page).getByRole("combobox", { name: "Verification of the new email" }).click();
    await page.getByRole("option", { name: "Mark as verified" }).click();
    await save.click();
    await page.getByText("Profile saved.").waitFor();
    await changes.waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Overview" }).click();
    await heading(page, "Grace").waitFor();
    await panel(page).getByText(email).first().waitFor();
    await panel(page).getByText("Verified", { exact: true }).waitFor();
    expect((await trySignIn(system(), email)).status).toBe(200);
    await page.getByRole("tab", { name: "JSON" }).click();
    for (const text of ["grace_h", "big", "12"])
      await page.getByRole("region", { name: "user as JSON" }).getByText(text).first().waitFor();
  });

  test("tells an admin without all permissions of the user why no action is possible", async () => {
    const [page, person] = [await openPage(), await signUpAs(system(), "admin")];
    await signInAs(page, system(), "clerk");
    await page.goto(url(`/users/${person.user.id}?tab=sessions`));
    await page.getByText("This user has permissions that you do not have").waitFor();
    await expectAccessible(page);
    for (const name of ["Actions", "Impersonate"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    expect(await page.getByRole("tab", { name: /Sessions/ }).count()).toBe(0);
  });

  test("shows their sessions and ends one of them", async () => {
    const { page, person } = await openUser("?tab=sessions");
    const other = await trySignIn(system(), person.email);
    await page.reload();
    const rows = panel(page).getByRole("row");
    await expect.poll(() => rows.count()).toBe(3);
    await expectAccessible(page);
    await rows
      .nth(1)
      .getByRole("button", { name: /End the session/ })
      .click();
    await page.getByRole("alertdialog").waitFor();
    // The other confirmations are the same dialog with other texts.
    await expectAccessible(page);
    await confirm(page, "End session", "Session ended.");
    await expect.poll(() => rows.count()).toBe(2);
    expect(await isSessionToken(system(), other.body.token ?? "")).toBe(false);
    expect(await isSessionToken(system(), person.token)).toBe(true);
  });

  matrixTest("shows their organizations, API keys and mails, each with a link", async () => {
    const { page, person, admin } = await openUser();
    await createOrganization(person, { name: "Acme of Ada" });
    const { id } = await createKey(person, { name: "Key of Ada" });
    await requestPasswordReset(person);
    await untilMails(await signUpAs(system(), "admin"), person.email, "sent");
    await page.getByRole("tab", { name: "Organizations" }).click();
    await panel(page).getByRole("link", { name: "Acme of Ada" }).waitFor();
    await panel(page).getByText("owner", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "API keys" }).click();
    const link = panel(page).getByRole("link", { name: "Key of Ada" });
    await link.waitFor();
    await page.getByRole("tab", { name: "Emails" }).click();
    await panel(page)
      .getByRole("link", { name: /password/i })
      .waitFor();
    await expectAccessible(page);
    await page.goBack();
    await link.click();
    await page.waitForURL(url(`/api-keys/${id}`));
    expect(admin.user.id).not.toBe(person.user.id);
  });

  matrixTest("shows an empty state for each empty list", async () => {
    const { page } = await openUser("?tab=organizations");
    await page.getByText("No organizations").waitFor();
    await page.getByRole("tab", { name: "API keys" }).click();
    await page.getByText("No API keys").waitFor();
    await page.getByRole("tab", { name: "Emails" }).click();
    await page.getByText("No emails").waitFor();
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByText("Signed up").first().waitFor();
  });

  matrixTest("shows a timeline of all services, by any actor", async () => {
    const { page, person, admin } = await openUser();
    await createOrganization(person, { name: "Acme" });
    await createKey(person);
    await choose(page, "Sign out everywhere…");
    await confirm(page, "End all sessions", `All sessions of ${person.email} ended.`);
    await page.getByRole("tab", { name: "Timeline" }).click();
    const timeline = page.getByRole("list", { name: "Timeline" });
    const entry = (text: string) => timeline.getByRole("listitem").filter({ hasText: text });
    await entry("All sessions ended").getByRole("link", { name: admin.email }).waitFor();
    await entry("API key created").first().waitFor();
    await entry("Organization created").first().waitFor();
    await entry("Signed up").first().waitFor();
    await entry("All sessions ended").first().waitFor();
    await expectAccessible(page);
  });

  test("shows hostile data as text without breaking the layout", async () => {
    const email = "hostile@example.com";
    const { body } = await callAdminInternal<{ user: { id: string } }>(system(), "/create-user", {
      email,
      password,
      name: `<img src=x onerror="alert(1)"> \u202Egnp.exe ${"W".repeat(900)} 🦊`,
    });
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url(`/users/${body.user.id}`));
    await panel(page).getByText(email).waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    const box = await page.getByRole("heading", { level: 1 }).boundingBox();
    expect(box?.height).toBeLessThan(80);
    await page.getByRole("button", { name: "Actions" }).waitFor();
    await takePicture(page, "user-hostile-light");
  });

  matrixTest("looks right in both themes", async () => {
    const { page, person } = await openUser();
    await panel(page).getByText(person.email).waitFor();
    await lookAt(page, "user");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.getByRole("tab", { name: "Timeline" }).click();
      await page.getByText("Signed up").first().waitFor();
      await takePicture(page, `user-timeline-${colorScheme}`);
      await page.getByRole("tab", { name: /Sessions/ }).click();
      await panel(page).getByRole("row").nth(1).waitFor();
      await takePicture(page, `user-sessions-${colorScheme}`);
    }
  });
});

describe("an admin's actions on a user", () => {
  test("change their roles, at least one", async () => {
    const { page } = await openUser();
    await choose(page, "Change roles…");
    const dialog = page.getByRole("dialog", { name: "Change roles" });
    await dialog.getByRole("checkbox", { name: "user" }).click();
    await dialog.getByText("Choose at least one role.").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("checkbox", { name: "support" }).click();
    await dialog.getByRole("button", { name: "Change roles" }).click();
    await page.getByText(/^Roles of .*: support\.$/).waitFor();
    await panel(page).getByText("support", { exact: true }).waitFor();
  });

  test("set a password that works from then on", async () => {
    const { page, person } = await openUser();
    await choose(page, "Set password…");
    const dialog = page.getByRole("dialog", { name: "Set password" });
    await dialog.getByLabel("New password").fill("short");
    await dialog.getByRole("button", { name: "Set password" }).click();
    await dialog.getByText("Password too short.").waitFor();
    await dialog.getByRole("button", { name: "Generate" }).click();
    const made = await dialog.getByLabel("New password").inputValue();
    await dialog.getByRole("button", { name: "Copy password" }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Set password" }).click();
    await page.getByText("All their sessions ended.").waitFor();
    expect((await trySignIn(system(), person.email)).status).toBe(401);
    expect((await trySignIn(system(), person.email, { password: made })).status).toBe(200);
    expect(await isSessionToken(system(), person.token)).toBe(false);
  });

  test("send a link instead of a password to a user who has none", async () => {
    const { page, person } = await openUser();
    const rows = openRows(system());
    await rows.query("delete from identity.account where user_id = $1", person.user.id);
    await rows.close();
    await page.reload();
    await choose(page, "Set password…");
    await page.getByText("has no password that you could replace").waitFor();
    await lookWideAndNarrow(page, "user-no-password");
    await confirm(page, "Send email", `Email sent to ${person.email}.`);
  });

  test("send a password reset, and mark the address as verified", async () => {
    const { page, person } = await openUser();
    await choose(page, "Send password reset…");
    await confirm(page, "Send email", `Email sent to ${person.email}.`);
    await expect
      .poll(() => system().smtp.mails.some(({ to }) => to.includes(person.email)))
      .toBe(true);
    await choose(page, "Mark email as verified…");
    await confirm(page, "Mark as verified", `${person.email} marked as verified.`);
    await panel(page).getByText("Verified", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Ban…" }).waitFor();
    expect(await page.getByRole("menuitem", { name: /Mark address/ }).count()).toBe(0);
  });

  test("ban them with a reason for a limited time, and lift the ban", async () => {
    const { page, person } = await openUser();
    await choose(page, "Ban…");
    const dialog = page.getByRole("dialog", { name: "Ban user" });
    await dialog.getByLabel("Reason").fill(`Spam <b>and more</b>`);
    await dialog.getByRole("combobox", { name: "Duration" }).click();
    await page.getByRole("option", { name: "Until a date" }).click();
    await dialog.getByLabel("Last day").fill("2001-01-01");
    await dialog.getByRole("button", { name: "Ban user" }).click();
    await dialog.getByText("Choose today or a later day.").waitFor();
    await expectAccessible(page);
    await takePicture(page, "user-ban-light");
    await dialog.getByRole("combobox", { name: "Duration" }).click();
    await page.getByRole("option", { name: "1 day" }).click();
    await dialog.getByRole("button", { name: "Ban user" }).click();
    await page.getByText("banned and signed out everywhere.").waitFor();
    await panel(page).getByText("Spam <b>and more</b>").waitFor();
    await panel(page)
      .getByText(/^\(in (23 hours|1 day)\)$/)
      .first()
      .waitFor();
    expect((await trySignIn(system(), person.email)).status).toBe(403);
    await expectAccessible(page);
    await choose(page, "Unban…");
    await confirm(page, "Unban", `${person.email} unbanned.`);
    expect((await trySignIn(system(), person.email)).status).toBe(200);
  });

  test("delete them after their address is typed", async () => {
    const { page, person } = await openUser();
    await choose(page, "Delete…");
    const dialog = page.getByRole("alertdialog", { name: "Delete user?" });
    const button = dialog.getByRole("button", { name: "Delete user" });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
    await expectAccessible(page);
    await button.click();
    await page.getByText(`${person.email} deleted.`).waitFor();
    await page.waitForURL(url("/users"));
    await page.goto(url(`/users/${person.user.id}`));
    await page.getByText("User not found.").waitFor();
    await page.getByText(/^It may have been deleted/).waitFor();
    await expectAccessible(page);
  });

  test("impersonate them in another window, while the console stays usable", async () => {
    const { page, person, admin } = await openUser();
    const context = page.context();
    const other = await context.newPage();
    await other.goto(url("/users"));
    await other.getByRole("row").nth(1).waitFor();
    await page.getByRole("button", { name: "Impersonate" }).click();
    const dialog = page.getByRole("dialog", { name: "Impersonate user" });
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByText("Enter a reason").waitFor();
    await dialog.getByLabel("Reason").fill("ticket 4711");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Create link" }).click();
    const opening = context.waitForEvent("page");
    await dialog.getByRole("link", { name: "Open as Ada" }).click();
    const application = await opening;
    await expect.poll(() => userIdOf(application)).toBe(person.user.id);
    const banner = page.getByRole("complementary", { name: "Impersonation" });
    await banner.getByText("in another window").waitFor();
    await dialog.waitFor({ state: "hidden" });
    expect(await page.getByRole("button", { name: "Impersonate" }).isDisabled()).toBe(true);
    await page.getByRole("tab", { name: /^Sessions/ }).click();
    await panel(page).getByText("Reason: ticket 4711").waitFor();
    await lookAt(page, "impersonation");
    await page.setViewportSize({ width: 400, height: 800 });
    await lookAt(page, "impersonation-narrow");
    const otherBanner = other.getByRole("complementary", { name: "Impersonation" });
    await otherBanner.waitFor();
    await other.evaluate("window.isAsBefore = true");
    await banner.getByRole("button", { name: "End impersonation" }).click();
    await page.getByText("Impersonation ended.").waitFor();
    await banner.waitFor({ state: "detached" });
    expect(await userIdOf(application)).toBe(admin.user.id);
    // The other tab keeps what it shows.
    await other.getByText("Impersonation ended.").waitFor();
    await otherBanner.waitFor({ state: "detached" });
    expect(await isAsBefore(other)).toBe(true);
  });

  test("impersonate them in the account web, which says so and ends it", async () => {
    const { page, person, admin } = await openUser();
    const impersonated = await page.request.post(`${system().url}/admin/impersonate-user`, {
      headers: { origin: system().origin },
      data: { userId: person.user.id },
    });
    expect(impersonated.status()).toBe(200);
    await page.goto(accountUrl("/"));
    await page.getByText(`You are signed in as ${person.email}.`).waitFor();
    const notice = page.getByText("Ada sees this account in the name of Ada.");
    await notice.waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "End impersonation" }).click();
    await page.getByText(`You are signed in as ${admin.email}.`).waitFor();
    expect(await notice.count()).toBe(0);
    expect(await userIdOf(page)).toBe(admin.user.id);
  });

  matrixTest(
    "offer only to sign out of an impersonation if the admin's own session has ended meanwhile",
    async () => {
      const { page, person } = await openUser();
      const body = { userId: person.user.id };
      const headers = { origin: system().origin };
      await page.request.post(`${system().url}/admin/impersonate-user`, { headers, data: body });
      await page.context().clearCookies({ name: /admin_session/ });
      await page.reload();
      await page.getByText("Your own session has ended").waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("You have signed out.").waitFor();
      expect(await page.context().cookies()).toEqual([]);
    },
  );

  test("report a refusal of the server in the dialog", async () => {
    const admin = await signUpAs(system(), "admin");
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url(`/users/${admin.user.id}?do=impersonate`));
    const dialog = page.getByRole("dialog", { name: "Impersonate user" });
    await dialog.getByLabel("Reason").fill("ticket 4711");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByText(/To allow it, set the option admin.allowImpersonatingAdmins/).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(new URL(page.url()).searchParams.get("do")).toBeNull();
  });

  test("are not offered on the admin themself, nor to an admin who may only read", async () => {
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    await page.goto(url(`/users/${admin.user.id}?do=delete`));
    await heading(page, "Ada").waitFor();
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Impersonate" }).count()).toBe(0);
    const looking = await openPage();
    await signInAs(looking, system(), "support");
    await looking.goto(url(`/users/${admin.user.id}?do=ban`));
    await heading(looking, "Ada").waitFor();
    expect(await looking.getByRole("tab").allInnerTexts()).toEqual([
      "Overview",
      "Accounts (1)",
      "JSON",
    ]);
    expect(await looking.getByRole("button", { name: "Actions" }).count()).toBe(0);
    expect(await looking.getByRole("dialog").count()).toBe(0);
  });
});
