import { WireError } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { serviceConfig } from "../harness/operations.ts";
import { openRows, verifyAddress } from "../harness/rows.ts";
import { newEmail, password, readSession, signInElsewhere, signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { signIn } from "./web-users.ts";

expectNoLeaks("file");

/** Has the pictures of users. */
const pictures = "https://images.example.com";

const { system, openPage, accountUrl } = webTests({
  otherOrigins: [pictures],
  config: {
    ...serviceConfig,
    username: { enabled: true },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
    account: { pictureOrigins: [pictures] },
    hooks: {
      before: ({ path, body }) => {
        if (path === "/update-user" && (body as { name?: string }).name === "Admin")
          throw new WireError("VALIDATION_ERROR", { message: "This name is reserved." });
      },
    },
  },
});

test("a user edits the profile, requests another email, and ends the other sessions", async () => {
  const user = await signUp(system());
  const elsewhere = await signInElsewhere(system(), user);
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/"));
  await page.getByText(`You are signed in as ${user.email}.`).waitFor();
  const checks = page.getByRole("list", { name: "Security check-up" });
  const open = checks.getByRole("listitem").filter({ has: page.getByLabel("Needs attention") });
  await open.filter({ hasText: "Not verified" }).waitFor();
  // The sign-in of the page is the latest.
  await checks.getByText("None that are new").waitFor();
  await page.getByText("Signed in").first().waitFor();
  await lookWideAndNarrow(page, "account-overview");
  await page.setViewportSize({ width: 1280, height: 800 });
  await open.getByRole("link", { name: "Verify email" }).click();
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  await lookWideAndNarrow(page, "account-profile");

  await page.getByLabel("Name", { exact: true }).fill("Admin");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("This name is reserved.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("Username").fill("ada.lovelace");
  await page.getByLabel("Picture").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Enter an address that begins with https://.").waitFor();
  await page.route(`${pictures}/**`, (route) =>
    route.fulfill({
      contentType: "image/svg+xml",
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9"/></svg>',
    }),
  );
  await page.getByLabel("Picture").fill("https://example.com/ada.svg");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Profile saved.").waitFor();
  // Another server's picture may not be loaded.
  const initials = page.getByRole("main").getByText("AL", { exact: true });
  await initials.waitFor();
  await page.getByLabel("Picture").fill(`${pictures}/ada.svg`);
  await page.getByRole("button", { name: "Save" }).click();
  await initials.waitFor({ state: "detached" });
  await expect
    .poll(() =>
      page.locator("main img").evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBe(9);
  expect(await readSession(user.browser)).toMatchObject({
    user: {
      name: "Ada Lovelace",
      username: "ada.lovelace",
      image: `${pictures}/ada.svg`,
    },
  });

  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByLabel("New email").fill("lovelace@example.com");
  await matrixStep(() => lookWideAndNarrow(page, "account-change-email"));
  await page
    .getByRole("dialog", { name: "Change email" })
    .getByRole("button", { name: "Change email" })
    .click();
  await page.getByText("You are signed in as lovelace@example.com.").waitFor();

  await matrixStep(async () => {
    await page.setViewportSize({ width: 400, height: 900 });
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await lookWideAndNarrow(page, "account-menu");
    const menuItem = (name: string) => page.getByRole("menuitem", { name, exact: true });
    const choose = async (menu: string, choice: string) => {
      await page.getByRole("button", { name: "Account menu" }).click();
      await menuItem(menu).click();
      await page.getByRole("menuitemradio", { name: choice }).click();
    };
    await choose("Theme", "Dark");
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await choose("Language", "Deutsch");
    await page.locator('html[lang="de"]').waitFor();
    await page.getByRole("button", { name: "Kontomenü" }).click();
    await menuItem("Sprache").click();
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await page.setViewportSize({ width: 400, height: 900 });
  });
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

/** Returns the link of the latest mail to an address whose subject contains a word. */
const linkTo = async (email: string, word: string): Promise<string> => {
  const { links } = await system().smtp.waitForMail(
    ({ to, subject }) => to.includes(email) && subject.includes(word),
  );
  return links[0] ?? "";
};

test("a verified user changes the email and deletes the account, each by mailed links", async () => {
  const user = await signUp(system());
  const other = newEmail();
  const rows = openRows(system());
  await verifyAddress(rows, user.user.id);
  await rows.close();
  const page = await openPage();
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  await signIn(page, system(), user);
  await page.goto(accountUrl("/profile"));
  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByLabel("New email").fill(other);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("A link is on its way to your present email.").waitFor();
  await page.goto(await linkTo(user.email, "Confirm your new"));
  await heading("The link has worked").waitFor();
  await page.goto(await linkTo(other, "Verify"));
  await heading("The link has worked").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-email-changed"));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(`You are signed in as ${other}.`).waitFor();

  // Nothing has acted here, so neither page claims that.
  await page.goto(accountUrl("/delete-account"));
  await heading("Nothing was deleted here").waitFor();
  await page.getByRole("link", { name: "Go to your data" }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.getByText(`We sent a link to ${other}.`).waitFor();
  await page.goto(await linkTo(other, "deletion"));
  await heading("Your account is deleted").waitFor();
  await lookWideAndNarrow(page, "account-deleted");
  await page.goto(accountUrl("/verify-email"));
  await heading("Verify your email").waitFor();
});

matrixTest("a user whose session ends signs in again and returns to the same screen", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/sessions"));
  await page.getByText("This session").waitFor();
  await user.browser.post("/revoke-other-sessions", {});
  const ended = page.getByRole("listitem").filter({ hasNotText: "This session" });
  await ended.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "End session" }).click();
  await page.getByText("Your session has ended").waitFor();
  await page.getByLabel("Email or username").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sessions", exact: true }).waitFor();
  expect(page.url()).toBe(accountUrl("/sessions"));
});

matrixTest.each([
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

matrixTest("a screen counts down how long a user has to wait", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.route("**/update-user", (route) =>
    route.fulfill({ status: 429, headers: { "retry-after": "30" }, json: {} }),
  );
  await page.goto(accountUrl("/profile"));
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
