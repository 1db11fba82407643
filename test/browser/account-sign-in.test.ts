import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { matrixStep } from "../harness/matrix.ts";
import { password, signUp } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { takePicture } from "./take-picture.ts";
import { webTests } from "./web-tests.ts";
import { signOut } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests();

test("signs a user in by password, after a wrong one, and out", async () => {
  const { email } = await signUp(system());
  const page = await openPage();
  await page.goto(accountUrl("/"));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await takePicture(page, "account-sign-in");
  await expectAccessible(page);
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("The email or the password is wrong.").waitFor();
  await matrixStep(() => expectAccessible(page));
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  expect(page.url()).toBe(accountUrl("/"));
  await signOut(page);
  await page.getByText("You have signed out.").waitFor();
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.keyboard.press("Enter");
  await page.getByText("The email or the password is wrong.").waitFor();
  expect(await page.getByText("You have signed out.").count()).toBe(0);
});
