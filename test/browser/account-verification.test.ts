import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newEmail, password } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: {
    emailAndPassword: { requireEmailVerification: true },
    emailOTP: {
      enabled: true,
      overrideDefaultEmailVerification: true,
      overrideDefaultPasswordReset: true,
      changeEmail: { enabled: true },
    },
  },
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** Returns the code of the mail of this number to an address. */
const codeTo = async (email: string, count: number): Promise<string> => {
  const codes = () =>
    system()
      .smtp.mails.filter(({ to }) => to.includes(email))
      .flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
  await expect.poll(() => codes().length).toBe(count);
  return codes().at(-1) ?? "";
};

const signIn = async (page: Page, email: string, given = password): Promise<void> => {
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password").fill(given);
  await page.keyboard.press("Enter");
};

const signUp = async (page: Page): Promise<string> => {
  const email = newEmail();
  await page.goto(accountUrl("/sign-up"));
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password").fill(password);
  await button(page, "Create account").click();
  await heading(page, "Verify your email").waitFor();
  return email;
};

test("a sign-up takes the mailed code, sends another one, and then signs in", async () => {
  const page = await openPage();
  const email = await signUp(page);
  const first = await codeTo(email, 1);
  await lookWideAndNarrow(page, "account-verification-code");
  await button(page, "Send again").click();
  await page.getByText("another mail is on its way").waitFor();
  const second = await codeTo(email, 2);
  await page.getByLabel("Code").fill(first === second ? "000000" : first);
  await page.getByText("This code is wrong.").waitFor();
  await page.getByLabel("Code").fill(second);
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  await matrixStep(async () => {
    // The password of this browser stays, because it asked for the code.
    expect((await page.request.post(`${system().url}/sign-out`)).ok()).toBe(true);
    await page.goto(accountUrl("/sign-in"));
    await signIn(page, email);
    await page.getByText(`You are signed in as ${email}.`).waitFor();
  });
});

test("a forgotten password and the email are replaced by codes", async () => {
  const page = await openPage();
  const email = await signUp(page);
  await page.getByLabel("Code").fill(await codeTo(email, 1));
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  expect((await page.request.post(`${system().url}/sign-out`)).ok()).toBe(true);

  await page.goto(accountUrl("/forgot-password"));
  await page.getByLabel("Email").fill(email);
  await button(page, "Send code").click();
  const code = await codeTo(email, 2);
  await page.getByLabel("Code").fill(code === "000000" ? "000001" : "000000");
  await page.getByText("This code is wrong.").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-reset-code"));
  await page.getByLabel("Code").fill(code);
  await page.getByLabel("New password").fill("another correct horse");
  await button(page, "Save password").click();
  await heading(page, "Your password has changed").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-password-changed"));
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, email, "another correct horse");
  await page.getByText(`You are signed in as ${email}.`).waitFor();

  const newer = newEmail();
  await page.goto(accountUrl("/profile"));
  await button(page, "Change email").click();
  await page.getByLabel("New email").fill(newer);
  await button(page, "Send code").click();
  await page.getByText(`Enter the code that we sent to ${email}.`).waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-change-email-code"));
  await page.getByLabel("Code").fill(await codeTo(email, 3));
  await page.getByText(`Enter the code that we sent to ${newer}.`).waitFor();
  await page.getByLabel("Code").fill(await codeTo(newer, 1));
  await page.getByText(`You are signed in as ${newer}.`).waitFor();
});

matrixTest("a sign-in with an unverified email takes the code that it mails", async () => {
  const page = await openPage();
  const email = await signUp(page);
  await page.goto(accountUrl("/sign-in"));
  await signIn(page, email);
  await heading(page, "Verify your email").waitFor();
  await page.getByLabel("Code").fill(await codeTo(email, 2));
  await page.getByText(`You are signed in as ${email}.`).waitFor();
});

matrixTest("the page of verification takes an email and its code", async () => {
  const page = await openPage();
  const email = await signUp(page);
  await page.goto(accountUrl("/verify-email"));
  await page.getByLabel("Email", { exact: true }).fill(email);
  await lookWideAndNarrow(page, "account-verification-page");
  await page.getByLabel("Code").fill(await codeTo(email, 1));
  await heading(page, "Your email is verified").waitFor();
});

/** The code was requested elsewhere, so its reader need not know the password. */
test("a verification in another browser says what it removes, and offers the password instead", async () => {
  const email = await signUp(await openPage());
  const page = await openPage();
  const enterCode = async (count: number) => {
    await page.goto(accountUrl("/verify-email"));
    await page.getByLabel("Email", { exact: true }).fill(email);
    await button(page, "Send again").click();
    await page.getByText("another mail is on its way").waitFor();
    await page.getByLabel("Code").fill(await codeTo(email, count));
    await page.getByText("the password", { exact: true }).waitFor();
  };
  await enterCode(2);
  await page.locator("p:focus", { hasText: email }).waitFor();
  await lookWideAndNarrow(page, "account-verification-claim");
  await button(page, "Use the password").click();
  await page.getByLabel("Password").waitFor();
  await enterCode(3);
  await button(page, "Remove and verify").click();
  await heading(page, "Your email is verified").waitFor();
  const removed = await system().smtp.waitForMail(({ subject }) => subject.startsWith("Ways to"));
  expect(removed.links[0]).toContain("/reset-password/");
});
