import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { signIn, signOut } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: { multiSession: { enabled: true, maximumSessions: 3 } },
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const signedInAs = (page: Page, email: string) =>
  page.getByText(`You are signed in as ${email}.`).waitFor();
const chooseInMenu = async (page: Page, name: string | RegExp) => {
  await button(page, "Account menu").click();
  await page.getByRole("menuitem", { name }).click();
};
const enter = async (page: Page, email: string) => {
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
};

test("adds an account, switches, asks at the sign-out, and continues with the other one", async () => {
  const ada = await signUp(system(), { name: "Ada" });
  const bob = await signUp(system(), { name: "Bob" });
  const page = await openPage();
  await signIn(page, system(), ada);
  await page.goto(accountUrl("/"));
  await signedInAs(page, ada.email);
  await chooseInMenu(page, "Add another account");
  await heading(page, "Sign in").waitFor();
  await enter(page, bob.email);
  await signedInAs(page, bob.email);
  await button(page, "Account menu").click();
  await page.getByRole("menuitem", { name: ada.email }).waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-users-menu"));
  await page.getByRole("menuitem", { name: ada.email }).click();
  await signedInAs(page, ada.email);
  await signOut(page);
  await page.getByRole("dialog", { name: "Sign out" }).waitFor();
  await lookWideAndNarrow(page, "account-users-sign-out");
  await button(page, "Sign out only Ada").click();
  await signedInAs(page, bob.email);
});

matrixTest("chooses who continues, signs one out, and makes room for another", async () => {
  const people = [await signUp(system(), { name: "Ada" }), await signUp(system(), { name: "Bob" })];
  const [ada, bob] = people;
  const cy = await signUp(system(), { name: "Cy" });
  const page = await openPage();
  for (const one of [...people, cy]) await signIn(page, system(), one);
  await page.goto(accountUrl("/choose?redirect_to=%2Faccount%2Fsecurity"));
  await heading(page, "Choose an account").waitFor();
  await lookWideAndNarrow(page, "account-choose");
  await page.getByRole("link", { name: "Use another account" }).click();
  await enter(page, (await signUp(system(), { email: newEmail() })).email);
  await page.getByText("This browser has too many signed-in accounts.").waitFor();
  await page.getByRole("link", { name: "Choose who stays signed in" }).click();
  await button(page, "Sign Cy out").click();
  await page.getByText(cy.email).waitFor({ state: "detached" });
  await page.getByRole("button", { name: ada?.email ?? "" }).click();
  await heading(page, "Security").waitFor();

  // Anyone can write the address of the page, so it leads to trusted places only.
  await page.goto(accountUrl("/choose?redirect_to=https%3A%2F%2Fevil.example"));
  await page.getByRole("button", { name: bob?.email ?? "" }).click();
  await heading(page, "We cannot send you back").waitFor();
  expect(new URL(page.url()).origin).toBe(system().origin);
});
