import { expectNoLeaks } from "@latchkey/testkit";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { matrixStep } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { password, readSession, signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { chooseAction, signIn } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: {
    ...serviceConfig,
    apiKey: { enabled: true },
    user: { deleteUser: { enabled: true, confirmByMail: false } },
  },
});

test("a user creates, disables and deletes an API key", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/api-keys"));
  await page.getByText("No API keys").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-api-keys-none"));

  await page.getByRole("button", { name: "Create API key" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("This is required.").waitFor();
  await page.getByLabel("Name").fill("Nightly build");
  await page.getByLabel("Expires").selectOption({ label: "In 30 days" });
  await matrixStep(() => lookWideAndNarrow(page, "account-api-keys-create"));
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.getByLabel("API key", { exact: true }).inputValue();
  expect(key.length).toBeGreaterThan(30);
  await matrixStep(() => lookWideAndNarrow(page, "account-api-keys-created"));
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("You have not copied it.").waitFor();
  await page.getByRole("button", { name: "Done" }).click();

  const row = page.getByRole("listitem").filter({ hasText: "Nightly build" });
  await row.getByText("Active").waitFor();
  await row.getByText("Never used").waitFor();
  expect(await page.content()).not.toContain(key);
  await lookWideAndNarrow(page, "account-api-keys");
  await matrixStep(async () => {
    await row.getByRole("button", { name: "Actions for Nightly build" }).click();
    await page.getByText("Expires on").waitFor();
    await lookWideAndNarrow(page, "account-api-keys-menu");
    await page.getByRole("menuitem", { name: "Usage" }).click();
    await page.getByText("The key was not used in the last 30 days.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
  });
  await chooseAction(page, "Nightly build", "Replace key");
  await page.getByLabel("Overlap").selectOption({ label: "1 hour" });
  await page.getByRole("button", { name: "Replace key" }).click();
  const successor = await page.getByLabel("API key", { exact: true }).inputValue();
  expect(successor).not.toBe(key);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("You have not copied it.").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  const replaced = row.filter({ hasText: "Replaced" });
  await replaced.getByRole("button").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete key" }).click();
  await page.getByText("Key deleted.").waitFor();
  await expect.poll(() => row.count()).toBe(1);
  await chooseAction(page, "Nightly build", "Disable");
  await row.getByText("Disabled").waitFor();
  await chooseAction(page, "Nightly build", "Delete");
  await page.getByRole("button", { name: "Delete key" }).click();
  await page.getByText("No API keys").waitFor();
});

test("a user downloads the own data, and deletes the account", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/data"));
  // A file with a gap would look complete.
  await page.route("**/list-activity", (route) => route.fulfill({ status: 500, body: "" }));
  await page.getByRole("button", { name: "Download data" }).click();
  await page.getByRole("alert").waitFor();
  await page.unroute("**/list-activity");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download data" }).click(),
  ]);
  const stream = await download.createReadStream();
  const data = await text(stream);
  expect(JSON.parse(data)).toMatchObject({ user: { email: user.email } });
  expect(data).not.toContain(user.token);

  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await dialog.getByLabel("Your password").fill("wrong password");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await dialog.getByText("The password is wrong.").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-delete"));
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.waitForURL(accountUrl("/delete-account?outcome=done"));
  expect(await readSession(user.browser)).toBeNull();
});
