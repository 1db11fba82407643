import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { serviceConfig } from "../harness/operations.ts";
import { password, readSession, signInElsewhere, signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-wide-and-narrow.ts";
import { webTests } from "./web-tests.ts";
import { signIn } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: {
    ...serviceConfig,
    username: { enabled: true },
    user: { changeEmail: { enabled: true } },
  },
});

test("a user edits the profile, requests another email, and ends the other sessions", async () => {
  const user = await signUp(system());
  const elsewhere = await signInElsewhere(system(), user);
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/"));
  await page.getByText(`You are signed in as ${user.email}.`).waitFor();
  await page.getByText("Not verified").waitFor();
  await lookWideAndNarrow(page, "account-profile");

  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("Username").fill("ada.lovelace");
  await page.getByLabel("Picture").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Enter an address that begins with https://.").waitFor();
  await page.getByLabel("Picture").fill("https://example.com/ada.png");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Profile saved.").waitFor();
  expect(await readSession(user.browser)).toMatchObject({
    user: {
      name: "Ada Lovelace",
      username: "ada.lovelace",
      image: "https://example.com/ada.png",
    },
  });

  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByLabel("New email").fill("lovelace@example.com");
  await lookWideAndNarrow(page, "account-change-email");
  await page
    .getByRole("dialog", { name: "Change email" })
    .getByRole("button", { name: "Change email" })
    .click();
  await page.getByText("You are signed in as lovelace@example.com.").waitFor();

  await page.setViewportSize({ width: 400, height: 900 });
  await page.getByRole("button", { name: "Menu" }).click();
  await lookWideAndNarrow(page, "account-menu");
  await page.setViewportSize({ width: 400, height: 900 });
  await page.getByRole("link", { name: "Sessions" }).click();
  await page.getByText("This session").waitFor();
  await lookWideAndNarrow(page, "account-sessions");
  await page.getByRole("button", { name: "End all others" }).click();
  await page
    .getByRole("dialog", { name: "End all other sessions?" })
    .getByRole("button", { name: "End all others" })
    .click();
  await page.getByText("All other sessions ended.").waitFor();
  expect(await readSession(elsewhere.browser)).toBeNull();
});

test("a user whose session ends signs in again and returns to the same screen", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/sessions"));
  await page.getByText("This session").waitFor();
  await user.browser.post("/revoke-other-sessions", {});
  await page.getByRole("button", { name: /^End session of/ }).click();
  await page.getByText("Your session has ended").waitFor();
  await page.getByLabel("Email or username").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sessions", exact: true }).waitFor();
  expect(page.url()).toBe(accountUrl("/sessions"));
});

test.each([
  [403, "You are not allowed to do this."],
  [404, "This was not found. It may have been deleted."],
])("a screen says why its data is missing after a %i, and reads it again", async (status, text) => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.route("**/list-sessions", (route) => route.fulfill({ status, json: {} }));
  await page.goto(accountUrl("/sessions"));
  await page.getByText(text).waitFor();
  await page.unroute("**/list-sessions");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This session").waitFor();
});

test("a screen counts down how long a user has to wait", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.route("**/update-user", (route) =>
    route.fulfill({ status: 429, headers: { "retry-after": "30" }, json: {} }),
  );
  await page.goto(accountUrl("/"));
  await page.getByLabel("Name", { exact: true }).fill("Countess");
  await page.getByRole("button", { name: "Save" }).click();
  const wait = page.getByText(/Too many attempts. Try again in \d+ seconds./);
  await wait.first().waitFor();
});

test("a screen says that the installation is unavailable, and shows its data afterwards", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.route("**/list-sessions", (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(accountUrl("/sessions"));
  await page.getByText("This is not available right now. Try again in a moment.").waitFor();
  await page.unroute("**/list-sessions");
  await page.getByText("This session").waitFor();
});
