import { expectNoLeaks, until } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { createKey } from "../harness/api-keys.ts";
import { createFailedMail, getMail, requestPasswordReset, untilMails } from "../harness/mails.ts";
import { createOrganization } from "../harness/organizations.ts";
import { openRows } from "../harness/rows.ts";
import { beginChallenge, enableApp } from "../harness/second-factor.ts";
import {
  callAdmin,
  isSessionToken,
  signUp,
  signUpAs,
  type TestUser,
  trySignIn,
} from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

const verdict = (page: Page) => page.getByRole("region", { name: "Can this person sign in?" });
const reason = (page: Page, text: string | RegExp) =>
  verdict(page).getByRole("listitem").filter({ hasText: text });

const sqlOf = async (text: string, ...values: unknown[]) => {
  const rows = openRows(system());
  try {
    return await rows.query(text, ...values);
  } finally {
    await rows.close();
  }
};

const verify = ({ user }: TestUser) =>
  sqlOf("update identity.user set email_verified = true where id = $1", user.id);

const failSignIn = async ({ email, user }: TestUser, times: number) => {
  for (let tries = 0; tries < times; tries += 1)
    await trySignIn(system(), email, { password: "not the password" });
  await until(async () => {
    const [row] = await sqlOf(
      "select sum(count)::int as count from identity.refused_sign_in where user_id = $1",
      user.id,
    );
    return (row as { count: number | null }).count === times;
  });
};

const open = async (person: TestUser, page?: Page) => {
  const opened = page ?? (await openPage());
  const admin = await signInAsAdmin(opened, system());
  await opened.goto(url(`/users/${person.user.id}`));
  await verdict(opened).getByRole("list", { name: "Reasons" }).waitFor({ state: "attached" });
  return { page: opened, admin };
};

/** Lets an admin view the sessions of a user, and one of their emails. */
const readEverything = async (admin: TestUser, person: TestUser) => {
  await callAdmin(admin, "/list-user-sessions", { userId: person.user.id });
  await requestPasswordReset(person);
  const [mail] = await untilMails(admin, person.email, "sent");
  await getMail(admin, mail?.id ?? "");
};

describe("the verdict", () => {
  test("says what stands in the way of a sign-in and solves it, with the rest of the user", async () => {
    const [person, operator] = [await signUp(system()), await signUpAs(system(), "admin")];
    await verify(person);
    await createOrganization(person, { name: "Acme of Ada" });
    await createKey(person, { name: "Key of Ada" });
    const { page } = await open(person);
    await verdict(page).getByText("Yes, nothing stands in the way").waitFor();
    await page
      .getByRole("region", { name: "Last sign-in" })
      .getByText(/^With password from /)
      .waitFor();
    await page.getByRole("link", { name: "Acme of Ada" }).waitFor();
    await page.getByRole("link", { name: "Key of Ada" }).waitFor();
    const events = page.getByRole("list", { name: "Recent events" });
    await events.getByText("Ada signed up").waitFor();
    await page.getByRole("link", { name: "Show all: API keys" }).click();
    await page.waitForURL(url(`/users/${person.user.id}?tab=access`));

    await callAdmin(operator, "/ban-user", { userId: person.user.id, banReason: "Sends spam" });
    await page.reload();
    await verdict(page).getByText("No", { exact: true }).waitFor();
    await reason(page, "Banned permanently").getByText("Reason: Sends spam").waitFor();
    await reason(page, "Banned permanently").getByRole("button", { name: "Unban" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Unban" }).click();
    await verdict(page).getByText("Yes, nothing stands in the way").waitFor();

    // Wrong passwords are counted, in the activity and in the audit log too.
    await failSignIn(person, 3);
    await page.reload();
    await reason(page, /Wrong password 3 times from /)
      .getByRole("button", { name: "Send password reset" })
      .waitFor();
    await page.getByRole("tab", { name: "Activity" }).click();
    await page
      .getByRole("list", { name: "Timeline" })
      .getByRole("listitem")
      .filter({ hasText: "Sign-in refused: wrong password, 3 times" })
      .waitFor();
    // The texts for screen readers lie outside the flow of their scrolled part.
    await page.setViewportSize({ width: 1024, height: 400 });
    expect(await page.evaluate("scrollTo(0, 10_000); scrollY")).toBe(0);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await matrixStep(async () => {
      await page.goto(url("/"));
      await page.getByRole("tab", { name: /^Failed sign-ins/ }).click();
      await page.getByRole("link", { name: "Show Failed sign-ins" }).click();
      await page.waitForURL(url("/audit?service=refused-sign-ins"));
      const entries = page.getByRole("grid", { name: "entries" });
      await entries.getByText(person.email).first().waitFor();
      await expectAccessible(page);
      await entries.getByRole("link", { name: "sign-in.refused" }).first().click();
      await page.getByText("Counted, not sealed").waitFor();
    });
  });

  matrixTest("leaves what an admin has only viewed out of recent events", async () => {
    const [person, operator] = [await signUp(system()), await signUpAs(system(), "admin")];
    await readEverything(operator, person);
    const { page } = await open(operator);
    const events = page.getByRole("list", { name: "Recent events" });
    await events.getByText("Ada signed up").first().waitFor();
    const reads = [/viewed the sessions/, /read an email/];
    for (const read of reads) expect(await events.getByText(read).count()).toBe(0);
    await page.getByRole("tab", { name: "Activity" }).click();
    const timeline = page.getByRole("list", { name: "Timeline" });
    for (const read of reads) await timeline.getByText(read).first().waitFor();
  });

  matrixTest("resends the verification of an address", async () => {
    const { page } = await open(await signUp(system()));
    await reason(page, "Email not verified")
      .getByRole("button", { name: "Resend verification" })
      .click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send email" }).click();
    await page.getByText("Email sent to").waitFor();
  });

  matrixTest("shows a pending second factor, and offers to reset it", async () => {
    const person = await signUp(system());
    await verify(person);
    await enableApp(person);
    await beginChallenge(system(), person);
    const { page } = await open(person);
    await reason(page, "A sign-in is waiting for its second factor")
      .getByRole("button", { name: "Reset second factor" })
      .waitFor();
  });

  matrixTest("shows that the last mail was not delivered, with the error", async () => {
    const [person, operator] = [await signUp(system()), await signUpAs(system(), "admin")];
    await verify(person);
    await createFailedMail(system(), operator, person);
    const { page } = await open(person);
    await reason(page, "The last email was not delivered")
      .getByRole("link", { name: "Show email" })
      .waitFor();
  });

  test("offers no remedy that the role does not allow, and shows no IP address", async () => {
    const person = await signUp(system());
    await failSignIn(person, 1);
    const page = await openPage();
    await signInAs(page, system(), "support");
    await page.goto(url(`/users/${person.user.id}?do=ban`));
    await reason(page, /^Wrong password once(?! from)/).waitFor();
    expect(await page.getByRole("tab").allInnerTexts()).toEqual(["Overview", "Security", "Raw"]);
    expect(await page.getByRole("button", { name: "Actions" }).count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await verdict(page).getByRole("button").count()).toBe(0);
    const last = page.getByRole("region", { name: "Last sign-in" });
    expect(await last.getByText(/^With password$/).count()).toBe(1);
  });

  matrixTest("looks right in both themes, beside who the user is on a wide screen", async () => {
    const [person, operator] = [await signUp(system()), await signUpAs(system(), "admin")];
    await failSignIn(person, 2);
    await callAdmin(operator, "/ban-user", { userId: person.user.id, banExpiresIn: 3600 });
    const page = await openPage();
    await page.setViewportSize({ width: 1600, height: 1000 });
    await open(person, page);
    await reason(page, "Banned temporarily").waitFor();
    const who = await page.getByRole("region", { name: "Profile" }).boundingBox();
    const shown = await verdict(page).boundingBox();
    expect(shown?.y).toBe(who?.y);
    await lookAt(page, "user-verdict");
  });
});

matrixTest("a compromised account is secured in one step, and its changes are shown", async () => {
  const person = await signUp(system());
  await verify(person);
  await createKey(person, { name: "Key of Ada" });
  await sqlOf(
    `insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at)
      values ('linked-by-attacker', $1, 'github', '42', now(), now())`,
    person.user.id,
  );
  const { page } = await open(person);
  await page.getByText("Password and Github").waitFor();
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Account compromised…" }).click();
  const dialog = page.getByRole("dialog", { name: "Account compromised" });
  const changes = dialog.getByRole("list", { name: "Changes" });
  await changes.getByText("Ada signed up").first().waitFor();
  await changes.getByText("Ada created an API key").waitFor();
  await lookAt(page, "user-secure");
  await dialog.getByLabel("Reason").fill("Stolen laptop");
  await dialog.getByRole("button", { name: "Secure account" }).click();
  await dialog.getByText("Account secured.").waitFor();
  await dialog.getByText("All their API keys are disabled.").waitFor();
  await lookAt(page, "user-secured");
  await dialog.getByRole("button", { name: "Review API keys" }).click();
  await page.getByRole("tabpanel").getByText("disabled", { exact: false }).first().waitFor();
  await reason(page, "New password required").waitFor();
  expect(await isSessionToken(system(), person.token)).toBe(false);
  expect((await trySignIn(system(), person.email)).status).toBe(401);

  // The attacker has linked an account, which an admin finds and unlinks.
  await page.getByRole("tab", { name: "Security" }).click();
  await page.getByRole("heading", { name: "Accounts (2)" }).waitFor();
  await page.getByRole("button", { name: "Unlink the account at github" }).click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Unlink account" }).click();
  await page.getByRole("heading", { name: "Accounts (1)" }).waitFor();
});
