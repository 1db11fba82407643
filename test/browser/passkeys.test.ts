import { expectNoLeaks, freePort } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newAuthenticator, registerPasskey } from "../harness/passkeys.ts";
import { openRows } from "../harness/rows.ts";
import { enableApp } from "../harness/second-factor.ts";
import { password, signUp, signUpAs } from "../harness/users.ts";
import { addAuthenticator } from "./add-authenticator.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
// The origin of passkeys contains the port, so it must be known before the start.
const { system, openPage, url } = webTests({
  config: webConfig,
  hostname: "localhost",
  topology: "one process",
  replicas: 1,
  environment: async () => ({ PORT: String(await freePort()) }),
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const rowsOf = (page: Page) => page.getByRole("table", { name: "passkeys" }).getByRole("row");

/** Runs in the page. Answers no autofill from now on, and lets the user cancel or answer the dialogs of the browser. */
const onDialogs = (answer: "cancel" | "give") => `
  globalThis.cancelled = Promise.withResolvers();
  navigator.credentials.get = (options) => {
    if (options.mediation === "conditional") return new Promise(() => {});
    if (${answer === "give"})
      return CredentialsContainer.prototype.get.call(navigator.credentials, options);
    cancelled.resolve();
    return Promise.reject(new DOMException("cancelled", "NotAllowedError"));
  };
`;

const chooseInMenu = async (page: Page, item: string) => {
  await button(page, "Account of Ada").click();
  await page.getByRole("menuitem", { name: item }).click();
};

/** Makes the last authentication of a user's sessions two days old. */
const age = async (userId: string) => {
  const rows = openRows(system());
  await rows.query(
    "update identity.session set authenticated_at = now() - interval '2 days' where user_id = $1",
    userId,
  );
  await rows.close();
};

test("an admin adds a passkey, signs in by it without a code, confirms the session by it, and deletes it", async () => {
  const admin = await signUpAs(system(), "admin");
  const app = await enableApp(admin);
  const page = await openPage();
  const answerAll = await addAuthenticator(page);
  await page.goto(url("/account"));
  const identifier = page.getByLabel("Email or username");
  expect(await identifier.getAttribute("autocomplete")).toBe("username webauthn");
  await expectAccessible(page);
  await identifier.fill(admin.email);
  await page.getByLabel("Password").fill(password);
  await button(page, "Sign in").click();
  await page.getByLabel("Authenticator code").fill(app.codeAt(0));
  await button(page, "Sign in").click();

  await button(page, "Add a passkey").click();
  const name = page.getByRole("dialog").getByLabel("Name");
  expect(await name.inputValue()).toBe("Chrome on Linux");
  await name.fill("Laptop");
  await expectAccessible(page);
  await button(page, "Add passkey").click();
  await button(page, "Rename Laptop").click();
  await name.fill("Work laptop");
  await button(page, "Rename").last().click();
  await rowsOf(page).filter({ hasText: "Work laptop" }).getByText("never").waitFor();
  await expectAccessible(page);

  // The virtual authenticator answers the autofill at once, as a user does who picks the passkey.
  await chooseInMenu(page, "Sign out");
  await heading(page, "Home").waitFor();

  await answerAll(false);
  await chooseInMenu(page, "Sign out");
  await page.getByText("You have signed out.").waitFor();
  await page.evaluate(onDialogs("cancel"));
  const byPasskey = button(page, "Sign in with a passkey");
  await byPasskey.click();
  await page.evaluate("cancelled.promise");
  await page.locator("button[aria-busy]").waitFor({ state: "detached" });
  expect(await page.getByRole("alert").filter({ hasNotText: "signed out" }).count()).toBe(0);

  await page.evaluate(onDialogs("give"));
  await answerAll(true);
  await byPasskey.click();
  await heading(page, "Home").waitFor();
  await chooseInMenu(page, "Your account");
  await rowsOf(page).filter({ hasText: "Work laptop" }).locator("time").nth(1).waitFor();
  await age(admin.user.id);
  await button(page, "Delete Work laptop").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete passkey" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm your identity" });
  await proof.getByRole("button", { name: "Use a passkey" }).waitFor();
  await expectAccessible(page);
  await proof.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("No passkeys").waitFor();
});

test("an admin removes a passkey of a user", async () => {
  const person = await signUp(system());
  await registerPasskey(person.browser, newAuthenticator(system()), "Lost phone");
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/users/${person.user.id}`));
  await page.getByRole("tab", { name: "Passkeys (1)" }).click();
  await button(page, "Remove Lost phone").click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
  await page.getByText("No passkeys").waitFor();
  const left = await person.browser.get("/passkey/list-user-passkeys");
  expect(await left.json()).toEqual([]);
});
