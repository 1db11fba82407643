import type { LatchkeyConfig } from "@latchkey/contracts";
import { loadAdminTexts } from "@latchkey/i18n/admin.ts";
import type { TextTree } from "@latchkey/i18n/message.ts";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { matrixOnly, matrixStep, matrixTest } from "../harness/matrix.ts";
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

const part = (page: Page, name: string | RegExp) => page.getByRole("region", { name });
const who = (page: Page) => part(page, "Profile");
const openTab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

describe("the screen of a user", () => {
  test("shows who they are and five tabs, with few requests on a first visit", async () => {
    const person = await signUp(system());
    // A context of its own has an empty cache.
    const page = await openPage({ locale: "en" });
    await signInAsAdmin(page, system());
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(url(`/users/${person.user.id}`), { waitUntil: "networkidle" });
    await page.getByRole("list", { name: "Recent events" }).getByText("Ada signed up").waitFor();
    expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(20);
    await who(page).getByText(person.email).waitFor();
    await who(page).getByText("Not verified").first().waitFor();
    await who(page).getByText("Password", { exact: true }).waitFor();
    expect(await page.getByRole("tab").allInnerTexts()).toEqual([
      "Overview",
      "Security",
      "Access",
      "Activity",
      "Raw",
    ]);
    await openTab(page, "Security");
    const accounts = part(page, "Accounts (1)");
    await accounts.getByRole("cell", { name: "Password" }).waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("security");
    await openTab(page, "Raw");
    await part(page, "user as JSON").getByText(person.user.id).waitFor();
    await page.goBack();
    await accounts.getByRole("cell", { name: "Password" }).waitFor();
    // A sign-in elsewhere appears among the sessions, and an admin ends it.
    const other = await trySignIn(system(), person.email);
    await page.reload();
    const rows = part(page, /^Sessions/).getByRole("row");
    await expect.poll(() => rows.count()).toBe(3);
    await expectAccessible(page);
    await rows
      .nth(1)
      .getByRole("button", { name: /End the session/ })
      .click();
    await page.getByRole("alertdialog").waitFor();
    // The other confirmations are the same dialog with other texts.
    await matrixStep(() => expectAccessible(page));
    await confirm(page, "End session", "Session ended.");
    await expect.poll(() => rows.count()).toBe(2);
    expect(await isSessionToken(system(), other.body.token ?? "")).toBe(false);
    expect(await isSessionToken(system(), person.token)).toBe(true);
  });

  matrixTest("edits their profile, and says what a new email means", async () => {
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
    await openTab(page, "Security");
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
    await panel(page).getByRole("link", { name: "Close" }).click();
    await part(page, "Last sign-in").waitFor();
    await heading(page, "Grace").waitFor();
    await who(page).getByText(email).first().waitFor();
    await who(page).getByText("Verified", { exact: true }).waitFor();
    expect((await trySignIn(system(), email)).status).toBe(200);
    await openTab(page, "Raw");
    for (const text of ["grace_h", "big", "12"])
      await page.getByRole("region", { name: "user as JSON" }).getByText(text).first().waitFor();
  });

  matrixTest("shows their organizations, API keys and mails, each with a link", async () => {
    const { page, person, admin } = await openUser();
    await createOrganization(person, { name: "Acme of Ada" });
    const { id } = await createKey(person, { name: "Key of Ada" });
    await requestPasswordReset(person);
    await untilMails(await signUpAs(system(), "admin"), person.email, "sent");
    await openTab(page, "Access");
    const organizations = part(page, "Organizations");
    await organizations.getByRole("link", { name: "Acme of Ada" }).waitFor();
    await organizations.getByText("owner", { exact: true }).waitFor();
    const link = part(page, "API keys").getByRole("link", { name: "Key of Ada" });
    await link.waitFor();
    await expectAccessible(page);
    await openTab(page, "Activity");
    await part(page, "Emails")
      .getByRole("link", { name: /password/i })
      .waitFor();
    await expectAccessible(page);
    await page.goBack();
    await link.click();
    await page.waitForURL(url(`/api-keys/${id}`));
    expect(admin.user.id).not.toBe(person.user.id);
  });

  matrixTest("shows an empty state for each empty list", async () => {
    const { page } = await openUser("?tab=access");
    await page.getByText("No organizations").waitFor();
    await page.getByText("No API keys").waitFor();
    await openTab(page, "Activity");
    await page.getByText("No emails were sent to this user").waitFor();
    await page.getByText("Ada signed up").first().waitFor();
  });

  matrixTest("shows a timeline of all services, by any actor", async () => {
    const { page, person, admin } = await openUser();
    await createOrganization(person, { name: "Acme" });
    await createKey(person);
    await choose(page, "Sign out everywhere…");
    await confirm(page, "End all sessions", `All sessions of ${person.email} ended.`);
    await openTab(page, "Activity");
    const timeline = page.getByRole("list", { name: "Timeline" });
    const entry = (text: string) => timeline.getByRole("listitem").filter({ hasText: text });
    await entry("ended all sessions of Ada").getByRole("link", { name: admin.email }).waitFor();
    await entry("Ada created API key").first().waitFor();
    await entry("Ada created Organization").first().waitFor();
    await entry("Ada signed up").first().waitFor();
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
    await who(page).getByText(email).first().waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    const box = await page.getByRole("heading", { level: 1 }).boundingBox();
    expect(box?.height).toBeLessThan(80);
    await page.getByRole("button", { name: "Actions" }).waitFor();
    await takePicture(page, "user-hostile-light");
  });

  matrixTest("compares them with a user of the same mailbox, merges and undoes it", async () => {
    const person = await signUp(system());
    const email = person.email.replace("@", "+shop@");
    await callAdminInternal(system(), "/create-user", { email, password, name: "Lovelace" });
    const rows = openRows(system());
    await rows.query("update identity.user set email_verified = true");
    await rows.close();
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url(`/users/${person.user.id}`));
    const hint = page.getByRole("list", { name: "Possible duplicates" }).getByRole("listitem");
    await hint.filter({ hasText: `${email} has the same mailbox.` }).waitFor();
    await page.getByRole("link", { name: `Compare with ${email}` }).click();
    const dialog = page.getByRole("dialog", { name: "Compare users" });
    const row = (name: string) => dialog.getByRole("row").filter({ hasText: name });
    await row("Email").getByRole("cell", { name: email }).waitFor();
    await row("Name").getByRole("cell", { name: "Lovelace" }).waitFor();
    await lookWideAndNarrow(page, "user-compare");
    await dialog.getByRole("link", { name: "Open the other user" }).click();
    await heading(page, "Lovelace").waitFor();
    await hint.filter({ hasText: person.email }).waitFor();
    // The users are merged, which the admin undoes.
    await page.getByRole("link", { name: `Compare with ${person.email}` }).click();
    await dialog.getByRole("button", { name: "Merge into this user…" }).click();
    const question = page.getByRole("alertdialog", { name: "Merge these users?" });
    await question.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
    await lookWideAndNarrow(page, "user-merge");
    await question.getByRole("button", { name: "Merge users" }).click();
    const merges = page.getByRole("list", { name: "Merged users" });
    await merges.getByText(`${person.email} was merged into this user.`).waitFor();
    await lookWideAndNarrow(page, "user-merged");
    expect((await trySignIn(system(), person.email)).status).toBe(403);
    await merges.getByRole("button", { name: "Undo" }).click();
    await confirm(page, "Undo merge", "Merge undone.");
    expect((await trySignIn(system(), person.email)).status).toBe(200);
  });

  matrixTest("looks right in both themes, on a phone and on a desk", async () => {
    const { page, person } = await openUser();
    await createOrganization(person, { name: "Acme of Ada" });
    await createKey(person, { name: "Key of Ada" });
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const tab of ["Overview", "Security", "Access", "Activity", "Raw"]) {
        await openTab(page, tab);
        await page.waitForLoadState("networkidle");
        await page.locator("main").evaluate((main) => main.scrollTo(0, 0));
        await lookAt(page, `user-${tab.toLowerCase()}-${width}`);
      }
    }
  });
});

describe("an admin's actions on a user", () => {
  test("change roles, verify, ban and set a password, one after the other on one page", async () => {
    const { page, person } = await openUser();
    await choose(page, "Change roles…");
    const roles = page.getByRole("dialog", { name: "Change roles" });
    await roles.getByRole("checkbox", { name: "user" }).click();
    await roles.getByText("Choose at least one role.").waitFor();
    await matrixStep(() => expectAccessible(page));
    await roles.getByRole("checkbox", { name: "support" }).click();
    await roles.getByRole("button", { name: "Change roles" }).click();
    await page.getByText(/^Roles of .*: support\.$/).waitFor();
    await who(page).getByText("support", { exact: true }).waitFor();

    await matrixStep(async () => {
      await choose(page, "Send password reset…");
      await confirm(page, "Send email", `Email sent to ${person.email}.`);
      await expect
        .poll(() => system().smtp.mails.some(({ to }) => to.includes(person.email)))
        .toBe(true);
    });
    await choose(page, "Mark email as verified…");
    await confirm(page, "Mark as verified", `${person.email} marked as verified.`);
    await who(page).getByText("Verified", { exact: true }).waitFor();

    // With a reason for a limited time, in three clicks if there is nothing to say.
    await choose(page, "Ban…");
    expect(await page.getByRole("menuitem", { name: /Mark email/ }).count()).toBe(0);
    const ban = page.getByRole("dialog", { name: "Ban user" });
    await ban.getByLabel("Reason").fill(`Spam <b>and more</b>`);
    await ban.getByRole("combobox", { name: "Duration" }).click();
    await page.getByRole("option", { name: "Until a date" }).click();
    await ban.getByLabel("Last day").fill("2001-01-01");
    await ban.getByRole("button", { name: "Ban user" }).click();
    await ban.getByText("Choose today or a later day.").waitFor();
    await matrixStep(() => expectAccessible(page));
    await takePicture(page, "user-ban-light");
    await ban.getByRole("combobox", { name: "Duration" }).click();
    await page.getByRole("option", { name: "1 day" }).click();
    await ban.getByRole("button", { name: "Ban user" }).click();
    await page.getByText("banned and signed out everywhere.").waitFor();
    const verdict = part(page, "Can this person sign in?");
    await verdict.getByText("Spam <b>and more</b>").waitFor();
    await verdict
      .getByText(/^\(in (23 hours|1 day)\)$/)
      .first()
      .waitFor();
    expect((await trySignIn(system(), person.email)).status).toBe(403);
    await expectAccessible(page);
    await choose(page, "Unban…");
    await confirm(page, "Unban", `${person.email} unbanned.`);
    const { status, body } = await trySignIn(system(), person.email);
    expect(status).toBe(200);

    await choose(page, "Set password…");
    const dialog = page.getByRole("dialog", { name: "Set password" });
    await dialog.getByLabel("New password").fill("short");
    await dialog.getByRole("button", { name: "Set password" }).click();
    await dialog.getByText("Password too short.").waitFor();
    await dialog.getByRole("button", { name: "Generate" }).click();
    const made = await dialog.getByLabel("New password").inputValue();
    await dialog.getByRole("button", { name: "Copy password" }).waitFor();
    await matrixStep(() => expectAccessible(page));
    await dialog.getByRole("button", { name: "Set password" }).click();
    await page.getByText("All their sessions ended.").waitFor();
    expect((await trySignIn(system(), person.email)).status).toBe(401);
    expect((await trySignIn(system(), person.email, { password: made })).status).toBe(200);
    expect(await isSessionToken(system(), body.token ?? "")).toBe(false);
  });

  matrixTest("send a link if there is no password, and delete a user", async () => {
    const person = await signUp(system());
    const rows = openRows(system());
    await rows.query("delete from identity.account where user_id = $1", person.user.id);
    await rows.close();
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url(`/users/${person.user.id}`));
    await choose(page, "Set password…");
    await page.getByText("has no password that you could replace").waitFor();
    await lookWideAndNarrow(page, "user-no-password");
    await confirm(page, "Send email", `Email sent to ${person.email}.`);

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

  test("impersonate them in another window by two clicks, while the console stays usable", async () => {
    const { page, person, admin } = await openUser();
    const context = page.context();
    const other = await context.newPage();
    await matrixStep(async () => {
      await other.goto(url("/users"));
      await other.getByRole("row").nth(1).waitFor();
    });
    await page.getByRole("button", { name: "Impersonate" }).click();
    const dialog = page.getByRole("dialog", { name: "Impersonate user" });
    const impersonate = dialog.getByRole("button", { name: "Impersonate" });
    await impersonate.click();
    await dialog.getByText("Enter a reason").waitFor();
    await dialog.getByLabel("Reason").fill("ticket 4711");
    await matrixStep(() => expectAccessible(page));
    const opening = context.waitForEvent("page");
    await impersonate.click();
    const application = await opening;
    await expect.poll(() => userIdOf(application)).toBe(person.user.id);
    const banner = page.getByRole("complementary", { name: "Impersonation" });
    await banner.getByText("in another window").waitFor();
    await dialog.waitFor({ state: "hidden" });
    expect(await page.getByRole("button", { name: "Impersonate" }).isDisabled()).toBe(true);
    await openTab(page, "Security");
    await panel(page).getByText("Reason: ticket 4711").waitFor();
    await lookAt(page, "impersonation");
    await page.setViewportSize({ width: 400, height: 800 });
    await matrixStep(() => lookAt(page, "impersonation-narrow"));
    const otherBanner = other.getByRole("complementary", { name: "Impersonation" });
    await matrixStep(async () => {
      await otherBanner.waitFor();
      await other.evaluate("window.isAsBefore = true");
    });
    await banner.getByRole("button", { name: "End impersonation" }).click();
    await page.getByText("Impersonation ended.").waitFor();
    await banner.waitFor({ state: "detached" });
    expect(await userIdOf(application)).toBe(admin.user.id);
    await matrixStep(async () => {
      // The other tab keeps what it shows.
      await other.getByText("Impersonation ended.").waitFor();
      await otherBanner.waitFor({ state: "detached" });
      expect(await isAsBefore(other)).toBe(true);

      // The account web says so too, and ends it.
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

  test("are offered as far as the admin may act on the user, and report a refusal in the dialog", async () => {
    const other = await signUpAs(system(), "admin");
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    await page.goto(url(`/users/${other.user.id}?do=impersonate`));
    const dialog = page.getByRole("dialog", { name: "Impersonate user" });
    await dialog.getByLabel("Reason").fill("ticket 4711");
    await dialog.getByRole("button", { name: "Impersonate" }).click();
    await dialog.getByText(/To allow it, set the option admin.allowImpersonatingAdmins/).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(new URL(page.url()).searchParams.get("do")).toBeNull();
    // Nobody deletes or impersonates themself.
    await page.goto(url(`/users/${admin.user.id}?do=delete`));
    await heading(page, "Ada").waitFor();
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Impersonate" }).count()).toBe(0);
    // A clerk has fewer permissions than an admin.
    const clerk = await openPage();
    await signInAs(clerk, system(), "clerk");
    await clerk.goto(url(`/users/${admin.user.id}?tab=security`));
    await clerk.getByText("This user has permissions that you do not have").waitFor();
    await part(clerk, "Accounts (1)").waitFor();
    await matrixStep(() => expectAccessible(clerk));
    for (const name of ["Actions", "Impersonate"])
      expect(await clerk.getByRole("button", { name }).count()).toBe(0);
    expect(await part(clerk, /^Sessions/).count()).toBe(0);
  });
});

/** English texts that no other language shares, and that no data of these pages has. */
const englishTexts = async (): Promise<ReadonlySet<string>> => {
  const pathsOf = (tree: TextTree): string[] =>
    Object.values(tree).flatMap((part) => (typeof part === "string" ? [part] : pathsOf(part)));
  const texts = pathsOf(await loadAdminTexts("en")).filter((text) => !text.includes("{"));
  const ofData = new Set([
    "ID",
    "Name",
    "Passkey",
    "Passkeys",
    "Branding",
    "Webhooks",
    "Logo",
    "System",
  ]);
  return new Set(texts.filter((text) => !ofData.has(text) && /^[A-Z]/.test(text)));
};

/** Runs in the page. Returns every text and label that it shows, except the names of languages. */
const readTexts = `[...document.querySelectorAll("body *")].flatMap((element) => [
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.data),
  ...["aria-label", "placeholder", "title"].map((name) => element.getAttribute(name) ?? ""),
]).map((text) => text.trim()).filter(Boolean)`;

test("shows the language of the browser, then the chosen one from right to left", async () => {
  const person = await signUp(system());
  const page = await openPage({ locale: "de-DE", viewport: { width: 390, height: 844 } });
  await signInAsAdmin(page, system());
  const english = await englishTexts();
  const check = async (path: string, heading: string, picture: string) => {
    await page.goto(url(path), { waitUntil: "networkidle" });
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    const texts = await page.evaluate<string[]>(readTexts);
    expect(texts.filter((text) => english.has(text))).toEqual([]);
    await takePicture(page, `admin-language-${picture}`);
  };
  const userPath = `/users/${person.user.id}`;
  for (const [path, name, picture] of matrixOnly(
    ["/", "Startseite", "de-home"],
    ["/users", "Benutzer", "de-users"],
  ))
    await check(path, name, picture);
  await check(userPath, "Ada", "de-user");
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await page.getByText("Ada hat sich registriert").first().waitFor();

  await page.getByRole("button", { name: /^Konto von/ }).click();
  await page.getByRole("menuitemradio", { name: "العربية" }).click();
  await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
  for (const [path, name, picture] of matrixOnly(
    ["/", "الرئيسية", "ar-home"],
    ["/users", "المستخدمون", "ar-users"],
  ))
    await check(path, name, picture);
  await check(userPath, "Ada", "ar-user");
  await expectAccessible(page);
});
