import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { callOperation, expectOk } from "../harness/operations.ts";
import { createOrganization, inviteMember, newSlug } from "../harness/organizations.ts";
import { openRows, verifyAddress } from "../harness/rows.ts";
import { appOf, enableApp } from "../harness/second-factor.ts";
import { newEmail, password, signUp, signUpAs } from "../harness/users.ts";
import { accepted, startWebhookReceiver } from "../harness/webhook-receiver.ts";
import { webTests } from "./web-tests.ts";
import { signIn, signInAsAdmin, webConfig } from "./web-users.ts";

expectNoLeaks("file");
const receiver = await startWebhookReceiver();
afterAll(() => receiver.stop());

const { system, openPage, url, accountUrl } = webTests({
  config: { ...webConfig, emailVerification: { sendOnSignUp: false } },
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** Returns a function that fails if a task takes more clicks in any window, or if its outcome does not appear. Typing is free. */
const boundClicks = async (context: BrowserContext) => {
  let count = 0;
  await context.exposeBinding("recordClick", () => {
    count += 1;
  });
  await context.addInitScript({
    content: `addEventListener("pointerdown", () => recordClick(), true)`,
  });
  return async (
    [task, max]: readonly [task: string, max: number],
    act: () => Promise<void>,
    outcome: () => Promise<void>,
  ) => {
    count = 0;
    await act();
    await outcome();
    expect({ task, count }).toEqual({ task, count: max });
  };
};

const choose = async (page: Page, action: string) => {
  await button(page, "Actions").click();
  await page.getByRole("menuitem", { name: action }).click();
};

test("an admin finds and helps a user, and sends a failed event again, in few clicks", async () => {
  const person = await signUp(system(), { name: "Grace Hopper" });
  await enableApp(person);
  const sql = openRows(system());
  await verifyAddress(sql, person.user.id);
  await sql.close();
  const page = await openPage({ locale: "en" });
  await signInAsAdmin(page, system());
  const within = await boundClicks(page.context());
  const verdict = page.getByRole("region", { name: "Can this person sign in?" });
  await page.goto(url("/"));
  await heading(page, "Home").waitFor();
  await within(
    ["find a user and read the verdict", 0],
    async () => {
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type(person.email);
      await page.getByRole("option", { name: person.email }).waitFor();
      await page.keyboard.press("Enter");
      await heading(page, "Grace Hopper").waitFor();
    },
    () => verdict.getByText("Yes, nothing stands in the way").waitFor(),
  );
  await within(
    ["read the history", 1],
    () => page.getByRole("tab", { name: "Activity" }).click(),
    () =>
      page
        .getByRole("list", { name: "Timeline" })
        .getByText("Grace Hopper signed up")
        .first()
        .waitFor(),
  );
  const opening = page.context().waitForEvent("page");
  await within(
    ["impersonate", 2],
    async () => {
      await button(page, "Impersonate").click();
      const dialog = page.getByRole("dialog", { name: "Impersonate user" });
      await dialog.getByLabel("Reason").fill("ticket 4711");
      await button(page, "Impersonate").click();
    },
    async () => {
      const application = await opening;
      await expect
        .poll(async () => {
          const answer = await application.request.get(`${system().url}/get-session`);
          return ((await answer.json()) as { user: { id: string } }).user.id;
        })
        .toBe(person.user.id);
    },
  );
  await button(page, "End impersonation").click();
  await page.getByText("Impersonation ended.").waitFor();
  await within(
    ["reset the second factor", 3],
    async () => {
      await choose(page, "Reset second factor…");
      const question = page.getByRole("alertdialog");
      await question.getByRole("button", { name: "Reset second factor" }).click();
    },
    () => page.getByText(`Second factor of ${person.email} reset.`).waitFor(),
  );
  await within(
    ["ban", 3],
    async () => {
      await choose(page, "Ban…");
      await page.getByRole("dialog").getByRole("button", { name: "Ban user" }).click();
    },
    () => page.getByText(`${person.email} banned and signed out everywhere.`).waitFor(),
  );

  const operator = await signUpAs(system(), "admin");
  receiver.response = { status: 500, body: "" };
  await expectOk(
    callOperation(operator, operations.webhooks.adminCreateWebhook, {
      body: { url: receiver.url, events: ["organization.created"] },
    }),
  );
  await createOrganization(operator);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  receiver.response = accepted;
  // It is given up at once. Otherwise that takes days.
  const deliveries = openRows(system());
  const giveUp = `update webhooks.delivery set state = 'failed', last_error = 'timed out' where last_error is not null`;
  await expect
    .poll(() => deliveries.query(`${giveUp} returning endpoint_id`).then(({ length }) => length))
    .toBe(1);
  await deliveries.close();
  await page.goto(url("/"));
  const concerns = page.getByRole("list", { name: "What needs attention" });
  await concerns.getByRole("link", { name: "1 webhook is failing" }).waitFor();
  await within(
    ["send a failed delivery again", 3],
    async () => {
      await concerns.getByRole("link", { name: "1 webhook is failing" }).click();
      const list = page.getByRole("grid", { name: "deliveries" });
      await list.getByRole("link", { name: "organization.created" }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
    },
    () =>
      page
        .getByRole("dialog", { name: "Delivery" })
        .locator("dl")
        .getByText("Delivered", { exact: true })
        .waitFor(),
  );
});

test("a user sets up an app, invites a colleague and accepts an invitation in few clicks", async () => {
  const user = await signUp(system());
  const rows = openRows(system());
  await verifyAddress(rows, user.user.id);
  await rows.close();
  await createOrganization(user, { name: "Acme Corp", slug: newSlug() });
  const page = await openPage({ locale: "en" });
  await signIn(page, system(), user);
  const within = await boundClicks(page.context());
  await page.goto(accountUrl("/"));
  await heading(page, "Your account").waitFor();
  await within(
    ["set up an authenticator app", 4],
    async () => {
      await page.getByRole("link", { name: "Set up", exact: true }).click();
      await button(page, "Set up an app").click();
      await page.getByLabel("Your password").fill(password);
      await button(page, "Continue").click();
      const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
      const app = appOf(`otpauth://totp/Latchkey?secret=${secret}`);
      await page.getByLabel("Authenticator code").fill(app.codeAt(0));
      await button(page, "I have saved these codes").click();
    },
    () => page.getByText("10 codes left").waitFor(),
  );
  const invited = newEmail();
  await page.goto(accountUrl("/"));
  await heading(page, "Your account").waitFor();
  await within(
    ["invite a member", 4],
    async () => {
      await page.getByRole("link", { name: "Organizations" }).first().click();
      await page.getByRole("link", { name: "Acme Corp" }).first().click();
      await button(page, "Invite").click();
      const dialog = page.getByRole("dialog", { name: "Invite a member" });
      await dialog.getByRole("textbox", { name: "Email" }).fill(invited);
      await dialog.getByRole("button", { name: "Invite" }).click();
    },
    async () => {
      await page.getByText("Invitation sent.").waitFor();
      await system().smtp.waitForMail(invited);
    },
  );

  const owner = await signUp(system());
  await createOrganization(owner, { name: "Other Corp", slug: newSlug() });
  const email = newEmail();
  await inviteMember(owner, email);
  const { links } = await system().smtp.waitForMail(email);
  const guest = await openPage({ locale: "en" });
  const withinGuest = await boundClicks(guest.context());
  await guest.goto(links[0] ?? "");
  await heading(guest, "Join Other Corp").waitFor();
  await withinGuest(
    ["accept an invitation by a sign-up", 2],
    async () => {
      await guest.getByRole("link", { name: "Create account and accept" }).click();
      await guest.getByLabel("Name", { exact: true }).fill("Grace");
      expect(await guest.getByLabel("Email", { exact: true }).inputValue()).toBe(email);
      await guest.getByLabel("Password").fill(password);
      await button(guest, "Create account").click();
    },
    () => heading(guest, "You are now a member of Other Corp.").waitFor(),
  );
});
