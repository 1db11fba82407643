import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { createOrganization, inviteMember, newSlug } from "../harness/organizations.ts";
import { startOpenIdProvider } from "../harness/providers/openid-provider.ts";
import { makeSessionsStale, openRows, verifyAddress } from "../harness/rows.ts";
import { enableApp } from "../harness/second-factor.ts";
import { reachable } from "../harness/social-sign-in.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { overflowOf, smallTargetsOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { webTests } from "./web-tests.ts";
import { signOut } from "./web-users.ts";

expectNoLeaks("file");
const provider = await startOpenIdProvider();
afterAll(() => provider.stop());

const { system, openPage, accountUrl } = webTests({
  config: {
    advanced: reachable,
    socialProviders: {
      acme: { ...provider.client, issuer: provider.issuer, name: "Acme ID" },
    },
    emailVerification: { sendOnSignUp: false },
    magicLink: { enabled: true },
    emailOTP: { enabled: true },
    lastLoginMethod: { enabled: true },
    user: {
      additionalFields: {
        company: { type: "string", required: false },
        size: { type: ["small", "large"], required: false },
      },
    },
    branding: {
      name: "Acme",
      color: "#7c2d12",
      supportAddress: "help@acme.example",
      termsURL: "https://acme.example/terms",
    },
  },
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const signedInAs = (page: Page, email: string) =>
  page.getByText(`You are signed in as ${email}.`).waitFor();

const linkTo = async (email: string): Promise<string> => {
  const { links } = await system().smtp.waitForMail(email);
  const [link] = links;
  if (link === undefined) throw new Error("the mail has no link");
  return link;
};

/** Visits the provider beside the page, because the browser of a page may leave our origin in no test. */
const visitBeside = (page: Page, operation: string) =>
  page.route(operation, async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    const body = (await response.json()) as { url: string };
    const { url } = await provider.visit(body.url);
    await route.fulfill({ response, json: { ...body, url: url.href } });
  });

test("creates an account, with errors beside their fields", async () => {
  const page = await openPage({ viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  const email = newEmail();
  await page.goto(accountUrl("/sign-in"));
  await button(page, "Sign in").waitFor();
  expect([await smallTargetsOf(page), await overflowOf(page)]).toEqual([[], 0]);
  await page.getByRole("link", { name: "Sign up" }).click();
  await button(page, "Create account").click();
  await page.getByText("Enter your name.").waitFor();
  expect([await smallTargetsOf(page), await overflowOf(page)]).toEqual([[], 0]);
  await takePicture(page, "account-sign-up-dark-390");
  await expectAccessible(page);
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Company").fill("Acme");
  await page.getByLabel("Size").selectOption("large");
  await button(page, "Create account").click();
  await signedInAs(page, email);
});

test("mails a link to choose a new password, which works once", async () => {
  const { email } = await signUpWithCompany();
  const page = await openPage();
  await page.goto(accountUrl("/sign-in"));
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await heading(page, "Reset your password").waitFor(); // until then, the form of the sign-in has such a field, too
  await page.getByLabel("Email").fill(email);
  await button(page, "Send link").click();
  await heading(page, "Check your inbox").waitFor();
  const link = await linkTo(email);
  await page.goto(link);
  await heading(page, "Choose a new password").waitFor();
  await expect.poll(() => page.url()).not.toContain("token");
  await page.getByText("All other devices are signed out, and API keys end.").waitFor();
  await page.getByLabel("New password").fill("another correct horse");
  await lookWideAndNarrow(page, "account-reset-password");
  await button(page, "Save password").click();
  await heading(page, "Your password has changed").waitFor();
  await page.goto(link);
  await heading(page, "This link did not work").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-link-failed"));
  await page.getByRole("link", { name: "Request a new link" }).waitFor();
});

test("signs in by a mailed link, and remembers only the name of that way", async () => {
  const { email } = await signUpWithCompany();
  const page = await openPage();
  await page.goto(accountUrl("/sign-in"));
  await button(page, "Email me a sign-in link").click();
  await page.getByText("Enter your email.").waitFor();
  await page.getByLabel("Email or username").fill(email);
  await button(page, "Email me a sign-in link").click();
  await heading(page, "Check your inbox").waitFor();
  // The user has not proven the email, so the link says what it removes before it acts.
  const link = await linkTo(email);
  await page.goto(link);
  await page.getByText("the password", { exact: true }).waitFor();
  await lookWideAndNarrow(page, "mailed-link-claim");
  await page.getByRole("link", { name: "Sign in with the password" }).click();
  await heading(page, "Sign in to Acme").waitFor();
  await page.goto(link);
  await button(page, "Remove and sign in").click();
  await signedInAs(page, email);
  const removed = await system().smtp.waitForMail(({ subject }) => subject.startsWith("Ways to"));
  expect(removed.links[0]).toContain("/reset-password/");
  expect(await page.evaluate("({ ...localStorage })")).toEqual({});
  expect(await page.evaluate("document.cookie")).toBe(
    "better-auth.last_used_login_method=magic-link",
  );
});

matrixTest("says what a mailed code removes, and offers the password instead", async () => {
  const page = await openPage();
  const enterCode = async () => {
    const { email } = await signUpWithCompany();
    await page.goto(accountUrl("/sign-in"));
    await page.getByLabel("Email or username").fill(email);
    await button(page, "Email me a code").click();
    await heading(page, "Enter the code").waitFor();
    const { text } = await system().smtp.waitForMail(email);
    await page.getByLabel("Code").fill(/\b\d{6}\b/.exec(text)?.[0] ?? "");
    await heading(page, "Confirm that you want to sign in").waitFor();
    return email;
  };
  await enterCode();
  await lookWideAndNarrow(page, "account-code-claim");
  await button(page, "Use the password").click();
  await page.getByLabel("Password").waitFor();
  const email = await enterCode();
  await button(page, "Remove and sign in").click();
  await signedInAs(page, email);
});

test("signs in by a mailed code after a wrong one, then connects and disconnects a provider", async () => {
  const { email, user } = await signUpWithCompany();
  // The code would otherwise prove the email, which ends what an unproven user has set up, such as the password.
  const rows = openRows(system());
  await verifyAddress(rows, user.id);
  await rows.close();
  const page = await openPage();
  await page.goto(accountUrl("/sign-in?redirect_to=%2Faccount%2Fsecurity"));
  await page.context().setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await page.context().setOffline(false);
  await page.getByText("You are offline.").waitFor({ state: "detached" });
  await page.getByLabel("Email or username").fill(email);
  await button(page, "Email me a code").click();
  await heading(page, "Enter the code").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-email-code"));
  const { text } = await system().smtp.waitForMail(email);
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? "";
  await page.getByLabel("Code").fill(code === "000000" ? "000001" : "000000");
  await page.getByText("This code is wrong.").waitFor();
  await page.getByLabel("Code").fill(code);
  await heading(page, "Security").waitFor();

  provider.who = { sub: email, email, email_verified: true, name: "Ada" };
  await visitBeside(page, "**/link-social");
  await button(page, "Connect Acme ID").click();
  await page.getByText("Connected on").waitFor();
  expect(page.url()).toBe(accountUrl("/security"));
  await matrixStep(() => lookWideAndNarrow(page, "account-providers"));
  await matrixStep(async () => {
    const disconnect = "Disconnect Acme ID";
    await button(page, disconnect).click();
    await page
      .getByRole("dialog", { name: disconnect })
      .getByRole("button", { name: "Disconnect" })
      .click();
    await page.getByText("Acme ID disconnected.").waitFor();

    // A connected account signs in, so an old session asks for the password first.
    const laterRows = openRows(system());
    await makeSessionsStale(laterRows, user.id);
    await laterRows.close();
    await button(page, "Connect Acme ID").click();
    await page.getByRole("dialog").getByLabel("Password").fill(password);
    await page.getByRole("dialog").getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByText("Connected on").waitFor();
  });
});

test("asks for the second factor, and takes a recovery code in its place", async () => {
  const user = await signUpWithCompany();
  const { backupCodes } = await enableApp(user);
  const page = await openPage();
  await page.goto(accountUrl("/sign-in"));
  await page.getByLabel("Email or username").fill(user.email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  // The last digit sends the code, so everything that goes with it comes first.
  const code = page.getByLabel("Authenticator code");
  await expect.poll(() => code.evaluate((field) => field.matches(":focus"))).toBe(true);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  expect(await page.getByRole("checkbox").isChecked()).toBe(true);
  await code.fill("000000");
  await page.getByText("This code is wrong.").waitFor();
  await takePicture(page, "account-second-factor");
  await expectAccessible(page);
  await button(page, "Use a recovery code").click();
  await page.getByLabel("Recovery code").fill(backupCodes[0] ?? "");
  await button(page, "Confirm").click();
  await signedInAs(page, user.email);
});

test("an invitation is accepted by a sign-up with two clicks, which verifies its email", async () => {
  const owner = await signUpWithCompany();
  await createOrganization(owner, { name: "Acme Corp", slug: newSlug() });
  const email = newEmail();
  await inviteMember(owner, email);
  const page = await openPage();
  await page.goto(await linkTo(email));
  await heading(page, "Join Acme Corp").waitFor();
  await page.getByText(`This invitation is for ${email}.`).waitFor();
  expect(page.url()).not.toContain("proof");
  await matrixStep(() => lookWideAndNarrow(page, "account-invitation"));
  await page.getByRole("link", { name: "Create account and accept" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await heading(page, "Reset your password").waitFor(); // until then, the form of the sign-in has such a field, too
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe(email);
  await page.getByRole("link", { name: "Back to sign-in" }).click();
  await page.getByRole("link", { name: "Sign up" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Grace");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe(email);
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Company").fill("Acme");
  await button(page, "Create account").click();
  await heading(page, "You are now a member of Acme Corp.").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-invitation-accepted"));
  const session = await page.request.get(`${system().url}/get-session`);
  expect(await session.json()).toMatchObject({ user: { email, emailVerified: true } });
});

test("leads back to a trusted page only, in the chosen language's direction", async () => {
  const { email } = await signUpWithCompany();
  const page = await openPage({ viewport: { width: 1440, height: 900 }, locale: "ar" });
  await page.goto(accountUrl("/sign-in?redirect_to=https%3A%2F%2Fevil.example"));
  await expect.poll(() => page.evaluate("document.documentElement.dir")).toBe("rtl");
  await takePicture(page, "account-sign-in-rtl-1440");
  await page.getByRole("combobox").selectOption("en");
  await expect.poll(() => page.evaluate("document.documentElement.dir")).toBe("ltr");
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await heading(page, "We cannot send you back").waitFor();
  expect(new URL(page.url()).pathname).toBe("/account/error");
});

test("signs a user in at a provider, and offers to try again after a refusal", async () => {
  const email = newEmail();
  const page = await openPage();
  await visitBeside(page, "**/sign-in/social");
  const wanted = "/account/security";
  await page.goto(accountUrl(`/sign-in?redirect_to=${encodeURIComponent(wanted)}`));
  provider.who = undefined;
  await button(page, "Continue with Acme ID").click();
  await heading(page, "The sign-in was cancelled").waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to sign-in" }).click();
  provider.who = { sub: email, email, email_verified: true, name: "Ada" };
  await button(page, "Continue with Acme ID").click();
  await heading(page, "Security").waitFor();
  expect(new URL(page.url()).pathname).toBe(wanted);
  await signOut(page);
  const others = button(page, "Other ways");
  await others.waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);
  await others.click();
  await page.getByLabel("Password").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-sign-in-other-ways"));
  await others.click();
  await page.getByRole("button", { name: "Continue with Acme ID Last used" }).click();
  await signedInAs(page, email);
});

matrixTest("leads a user to an application, and asks if it sends the user back", async () => {
  const { email } = await signUpWithCompany();
  const page = await openPage();
  const place = "/api/auth/ok";
  const there = accountUrl(`/sign-in?redirect_to=${encodeURIComponent(place)}`);
  await page.goto(there);
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${place}`);
  await page.goto(there);
  await page.waitForURL(`**${place}`);
  await page.goto(there);
  await heading(page, "You are signed in").waitFor();
  await expectAccessible(page);
  await button(page, "Continue").click();
  await page.waitForURL(`**${place}`);
});

/** Signs up by a request, with the required field of this installation. */
function signUpWithCompany() {
  return signUp(system(), { company: "Acme" } as object);
}
