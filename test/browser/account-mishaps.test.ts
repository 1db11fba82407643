import { expectNoLeaks } from "@latchkey/testkit";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { createOrganization, inviteMember, newSlug } from "../harness/organizations.ts";
import { newEmail, password, signUp } from "../harness/users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const expectFocus = async (target: Locator): Promise<void> => {
  await target.waitFor();
  await expect.poll(() => target.evaluate((element) => element.matches(":focus"))).toBe(true);
};

const signIn = async (page: Page, email: string): Promise<void> => {
  await page.goto(accountUrl("/sign-in"));
  await page.getByLabel("Email or username").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(accountUrl("/"));
};

/** Another tab signs another user in, and the user comes back to this one. */
const signInInAnotherTab = async (page: Page, email: string): Promise<void> => {
  const reply = await page.context().request.post(`${system().url}/sign-in/email`, {
    headers: { origin: system().origin },
    data: { email, password },
  });
  expect(reply.status()).toBe(200);
  await page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
};

/** Collects the calls of an operation. */
const watchCalls = (page: Page, path: string): string[] => {
  const urls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(path)) urls.push(request.url());
  });
  return urls;
};

/** Opens an address as a signed-in user. */
const arriveAt = (page: Page, path: string, redirectTo: string) =>
  page.goto(accountUrl(`${path}?redirect_to=${encodeURIComponent(redirectTo)}`));

matrixTest("leads a signed-in user on from every address", async () => {
  const { email } = await signUp(system());
  const page = await openPage();
  await signIn(page, email);
  await arriveAt(page, "/sign-up", "/account/error");
  await heading(page, "The sign-in failed").waitFor();
  await arriveAt(page, "/sign-in", "/account/continue");
  await page.waitForURL(accountUrl("/"));
  // Anyone can link to the set-up of a sign-in. Without one that waits it must not act in the session.
  const preparing = watchCalls(page, "/two-factor/enable");
  await page.goto(accountUrl("/continue?twoFactorRedirect=true&twoFactorEnrolment=true"));
  await button(page, "Set up an app").click();
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  expect(preparing).toEqual([]);
  await arriveAt(page, "/sign-in", "/account//no-page");
  await heading(page, "Page not found").waitFor();
});

matrixTest("reads an invitation again after a failure, and for another user", async () => {
  const owner = await signUp(system());
  await createOrganization(owner, { name: "Acme Corp", slug: newSlug() });
  const email = newEmail();
  await inviteMember(owner, email);
  const { links } = await system().smtp.waitForMail(email);
  await signUp(system(), { email });
  const page = await openPage();
  await signIn(page, email);
  const reading = "**/organization/get-invitation?*";
  await page.route(reading, (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto(links[0] ?? "");
  await heading(page, "This page could not be loaded").waitFor();
  await page.unroute(reading);
  await button(page, "Try again").click();
  await heading(page, "Join Acme Corp").waitFor();
  await signInInAnotherTab(page, owner.email);
  await heading(page, "This invitation is for another email").waitFor();
});

test("shows and saves nothing that another user has entered", async () => {
  const ada = await signUp(system());
  const grace = await signUp(system(), { name: "Grace" });
  const page = await openPage();
  await signIn(page, ada.email);
  await page.goto(accountUrl("/profile"));
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Ada Lovelace");
  await signInInAnotherTab(page, grace.email);
  await page.getByText(`You are signed in as ${grace.email}.`).waitFor();
  await expect.poll(() => name.inputValue()).toBe("Grace");
});

matrixTest("announces the time to wait, but not each second", async () => {
  const page = await openPage();
  await page.route("**/sign-in/email", (route) =>
    route.fulfill({ status: 429, headers: { "retry-after": "90" }, body: "{}" }),
  );
  await page.goto(accountUrl("/sign-in"));
  await page.getByLabel("Email or username").fill("ada@example.com");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert");
  const text = "Too many attempts. Try again in 90 seconds.";
  await alert.getByText(text).first().waitFor();
  await expect.poll(() => alert.innerText()).toContain("89 seconds");
  expect(await alert.ariaSnapshot()).toContain(text);
});

matrixTest("moves the focus to what is new on the page", async () => {
  const { email } = await signUp(system());
  const page = await openPage();
  await page.goto(accountUrl("/sign-in"));
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expectFocus(page.getByLabel("Email"));
  await page.keyboard.type(email);
  await button(page, "Send link").click();
  await expectFocus(heading(page, "Check your inbox"));
  await page.goto(accountUrl("/sign-up"));
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password").fill(password);
  await button(page, "Create account").click();
  await page.getByText("An account with this email exists.").waitFor();
  await expectFocus(page.getByLabel("Email", { exact: true }));
});

matrixTest("loads a page anew that the browser kept when it was left", async () => {
  const page = await openPage();
  await page.goto(accountUrl("/sign-in"));
  await button(page, "Sign in").waitFor();
  await page.evaluate("window.isKept = true");
  const loaded = page.waitForEvent("load");
  await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
  await loaded;
  await button(page, "Sign in").waitFor();
  expect(await page.evaluate("window.isKept")).toBeUndefined();
});
