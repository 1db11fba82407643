import { expectNoLeaks, freePort } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { makeSessionsStale, openRows } from "../harness/rows.ts";
import { appOf } from "../harness/second-factor.ts";
import { newNumber, startTextCatcher } from "../harness/text-messages.ts";
import {
  newEmail,
  password,
  setRole,
  signInElsewhere,
  signUp,
  type TestUser,
} from "../harness/users.ts";
import { addAuthenticator } from "./add-authenticator.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { takePicture } from "./take-picture.ts";
import { webTests } from "./web-tests.ts";
import { chooseAction, signIn, signInAsAdmin, webConfig } from "./web-users.ts";

expectNoLeaks("file");
const texts = await startTextCatcher();
afterAll(texts.stop);
// The origin of passkeys contains the port, so it must be known before the start.
const { system, openPage, accountUrl, url } = webTests({
  config: {
    ...webConfig,
    anonymous: { enabled: true },
    phoneNumber: texts.options,
    twoFactor: { required: { roles: ["auditor"] } },
    admin: { roles: { ...webConfig.admin.roles, auditor: {} } },
  },
  hostname: "localhost",
  topology: "one process",
  replicas: 1,
  environment: async () => ({ PORT: String(await freePort()) }),
});

const newPassword = "another horse battery";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialogButton = (page: Page, dialog: string, name: string) =>
  page.getByRole("dialog", { name: dialog }).getByRole("button", { name, exact: true });

/** Makes the last authentication of a user's sessions two days old. */
const age = async (userId: string) => {
  const rows = openRows(system());
  await makeSessionsStale(rows, userId);
  await rows.close();
};

const numberField = (page: Page) => page.getByRole("textbox", { name: "Phone number" });

/** Adds a phone number, signs in with it in another browser, and finds both in the admin web. */
const addNumber = async (page: Page, { email, user }: TestUser) => {
  const phoneNumber = newNumber();
  await button(page, "Add a number").click();
  await numberField(page).fill("030 123456");
  await button(page, "Send code").click();
  await page.getByText("Enter a mobile number with its country code").waitFor();
  await numberField(page).fill(phoneNumber);
  await button(page, "Send code").click();
  await page.getByRole("textbox", { name: "Code" }).fill(await texts.codeTo(phoneNumber));
  await page.getByText("Phone number saved.").waitFor();
  await page.getByText(phoneNumber).waitFor();
  await lookWideAndNarrow(page, "account-phone-number");

  const other = await openPage();
  await other.goto(accountUrl("/sign-in"));
  await button(other, "Text me a code").click();
  await other.getByRole("heading", { name: "Sign in with your phone" }).waitFor();
  await lookWideAndNarrow(other, "account-phone-sign-in");
  await numberField(other).fill(phoneNumber);
  await other.keyboard.press("Enter");
  await other.getByText(`If ${phoneNumber} can sign in here, a code is on its way.`).waitFor();
  await other.getByRole("textbox", { name: "Code" }).fill(await texts.codeTo(phoneNumber, 1));
  await other.getByText(email).first().waitFor();

  const desk = await openPage();
  await signInAsAdmin(desk, system());
  await desk.goto(url(`/users?q=${encodeURIComponent(phoneNumber)}`));
  await desk.getByRole("link", { name: email }).first().waitFor();
  await desk.goto(url(`/users/${user.id}`));
  await desk.getByText(phoneNumber).first().waitFor();
  await takePicture(desk, "user-phone-number-1280");
  await desk.goto(url("/mail"));
  await desk.getByText("Text message", { exact: true }).first().waitFor();
  await takePicture(desk, "mail-text-messages-1280");
};

test("a user changes the password, confirms the session to add a passkey, and sets up an app", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/security"));
  await page.getByText("You have a password").waitFor();
  await lookWideAndNarrow(page, "account-security");

  await button(page, "Change password").click();
  await page.getByText("Your API keys keep working.").waitFor();
  await page.getByLabel("Your password").fill("wrong password");
  await page.getByLabel("New password").fill(newPassword);
  await button(page, "Save password").click();
  await page.getByText("The password is wrong.").waitFor();
  await page.getByLabel("Your password").fill(password);
  await page.getByLabel("New password").fill("Password123");
  await button(page, "Save password").click();
  await page.getByText("This password is known from leaks. Choose another one.").waitFor();
  await page.getByLabel("New password").fill(newPassword);
  await button(page, "Save password").click();
  await page.getByText("Password changed.").waitFor();
  await signInElsewhere(system(), user, { password: newPassword });

  await addNumber(page, user);
  await addAuthenticator(page);
  await age(user.user.id);
  await button(page, "Add a passkey").click();
  await button(page, "Add passkey").click();
  await page.getByText("This change requires a recent sign-in.").waitFor();
  await lookWideAndNarrow(page, "account-step-up");
  await page.getByLabel("Your password").fill(newPassword);
  await button(page, "Continue").click();
  await page.getByText("Passkey added.").waitFor();
  await chooseAction(page, "Chrome", "Rename");
  await page.getByRole("textbox", { name: "Name" }).fill("Laptop");
  await dialogButton(page, "Rename passkey", "Rename").click();
  await page.getByText("Passkey renamed.").waitFor();
  await chooseAction(page, "Laptop", "Delete");
  await dialogButton(page, "Delete Laptop?", "Delete").click();
  await page.getByText("Passkey deleted.").waitFor();

  await matrixStep(async () => {
    await button(page, "Set up an app").click();
    await page.getByLabel("Your password").fill(newPassword);
    await button(page, "Continue").click();
    const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
    await lookWideAndNarrow(page, "account-set-up-app");
    const app = appOf(`otpauth://totp/Latchkey?secret=${secret}`);
    await page.getByLabel("Authenticator code").fill(app.codeAt(0));
    const codes = page.getByRole("list", { name: "Recovery codes" });
    await codes.waitFor();
    expect(await codes.getByRole("listitem").count()).toBe(10);
    await lookWideAndNarrow(page, "account-recovery-codes");
    await button(page, "I have saved these codes").click();
    await page.getByText("10 codes left").waitFor();
    await lookWideAndNarrow(page, "account-second-factor");

    await button(page, "Turn off").click();
    await page.getByLabel("Your password").fill(newPassword);
    await dialogButton(page, "Turn off the second factor?", "Turn off").click();
    await page.getByText("Second factor turned off.").waitFor();
  });
});

test("a user who needs a second factor sets one up in the sign-in, and goes on", async () => {
  const user = await signUp(system());
  await setRole(system(), user.user.id, "auditor");
  const page = await openPage();
  await page.goto(accountUrl("/sessions"));
  await page.getByLabel("Email or username").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Set up a second factor" }).waitFor();
  await button(page, "Set up an app").click();
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  await lookWideAndNarrow(page, "account-enrolment");
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  const app = appOf(`otpauth://totp/Latchkey?secret=${secret}`);
  await page.getByLabel("Authenticator code").fill("000000");
  await page.getByText("This code is wrong.").waitFor();
  // Typing replaces the wrong code.
  await page.keyboard.type(app.codeAt(0));
  const codes = page.getByRole("list", { name: "Recovery codes" });
  await codes.waitFor();
  expect(await codes.getByRole("listitem").count()).toBe(10);
  await button(page, "I have saved these codes").click();
  await page.getByText("This session").waitFor();
  expect(page.url()).toBe(accountUrl("/sessions"));
});

matrixTest("a user turns codes by email on by the first one", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/security"));
  await button(page, "Turn on email codes").click();
  await button(page, "Email a code").click();
  const mail = await system().smtp.waitForMail(
    ({ to, text }) => to.includes(user.email) && /\b\d{6}\b/.test(text),
  );
  await page
    .getByRole("textbox", { name: "Email code" })
    .fill(/\b\d{6}\b/.exec(mail.text)?.[0] ?? "");
  await button(page, "Turn on").click();
  await page.getByText("Email codes are on.").first().waitFor();
});

test("a guest is asked for an account, keeps the id, and admins see guests by a filter", async () => {
  const guest = await openPage();
  await guest.goto(accountUrl("/sign-in"));
  const enter = () =>
    guest.evaluate(async (url) => {
      await fetch(`${url}/sign-in/anonymous`, { method: "POST" });
      const reply = await fetch(`${url}/get-session`);
      return ((await reply.json()) as { user: { id: string } }).user.id;
    }, system().url);
  const guestId = await enter();
  await guest.goto(accountUrl("/profile"));
  await guest.getByText("You are here as a guest.").waitFor();
  await lookWideAndNarrow(guest, "account-guest");

  await matrixStep(async () => {
    const admin = await signUp(system());
    await setRole(system(), admin.user.id, "admin");
    const page = await openPage();
    await signIn(page, system(), admin);
    await page.goto(`${system().origin}/admin/users`);
    await page.getByText(admin.email).first().waitFor();
    expect(await page.getByText("Guest", { exact: true }).count()).toBe(0);
    await page.goto(`${system().origin}/admin/users?kind=guests`);
    await page.getByText("Guest", { exact: true }).first().waitFor();
    await lookWideAndNarrow(page, "admin-guests");
  });

  const email = newEmail();
  await guest.getByLabel("Name", { exact: true }).fill("Grace");
  await guest.getByLabel("Email").fill(email);
  await guest.getByLabel("Password", { exact: true }).fill(password);
  await button(guest, "Create account").click();
  await guest.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
  const rows = openRows(system());
  const users = await rows.query(`select email from identity."user" where id = $1`, guestId);
  await rows.close();
  expect(users).toEqual([{ email }]);
});
