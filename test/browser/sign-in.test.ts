import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { callAdminInternal, password, setRole, signUp } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const fillIn = async (page: Page, identifier: string, secret: string) => {
  await page.getByLabel("Email or username").fill(identifier);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
};

describe("signing in", () => {
  test("leads an admin to the requested page", async () => {
    const admin = await signUp(system());
    await setRole(system(), admin.user.id, "admin");
    const page = await openPage();
    await page.goto(url("/users?q=ada&by=name"));
    await heading(page, "Sign in").waitFor();
    await expectAccessible(page);
    await fillIn(page, admin.email, password);
    await heading(page, "Users").waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/users");
    expect(new URL(page.url()).searchParams.get("q")).toBe("ada");
    expect(await page.getByRole("searchbox").inputValue()).toBe("ada");
  });

  matrixTest("shows an admin no other message while the next screen loads", async () => {
    const admin = await signUp(system());
    await setRole(system(), admin.user.id, "admin");
    const page = await openPage();
    // The address of a screen would load that screen beforehand, and Home comes with the sign-in page.
    await page.goto(url("/sign-in?redirect=%2Fusers"));
    await heading(page, "Sign in").waitFor();
    await page.waitForLoadState("networkidle");
    const loading = Promise.withResolvers<void>();
    await page.route("**/assets/*", async (route) => {
      await loading.promise;
      await route.continue();
    });
    const asked = page.waitForRequest("**/assets/*");
    await fillIn(page, admin.email, password);
    await asked;
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    expect(await page.getByText("who is not an admin").count()).toBe(0);
    // After a while the form gives way to a sign that the screen is loading.
    const enabled = page.getByRole("button", { name: "Sign in", disabled: false });
    expect(await enabled.count()).toBe(0);
    loading.resolve();
    await heading(page, "Users").waitFor();
  });

  test("accepts a username instead of the address", async () => {
    const username = `ops${Date.now()}`;
    await callAdminInternal(system(), "/create-user", {
      email: `${username}@example.com`,
      password,
      name: "Ops",
      role: "admin",
      data: { username },
    });
    const page = await openPage();
    await page.goto(url("/"));
    await fillIn(page, username, password);
    await heading(page, "Home").waitFor();
  });

  test("reports a wrong password with advice, and does nothing else", async () => {
    const { email } = await signUp(system());
    const page = await openPage();
    await page.goto(url("/"));
    await fillIn(page, email, "not it");
    const alert = page.getByRole("alert");
    await alert.getByText("Invalid email or password.").waitFor();
    await alert.getByText("Check the email and password, and try again.").waitFor();
    await expectAccessible(page);
    expect(await page.context().cookies()).toEqual([]);
  });

  test("reports empty fields at the fields, without a request", async () => {
    const page = await openPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.method()));
    await page.goto(url("/sign-in"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Enter your email or username.").waitFor();
    await page.getByText("Enter your password.").waitFor();
    await expectAccessible(page);
    expect(asked).not.toContain("POST");
  });

  test("reports to a user that they are not an admin, and offers to sign out", async () => {
    const { email } = await signUp(system());
    const page = await openPage();
    await page.goto(url("/"));
    await fillIn(page, email, password);
    await page.getByText("This account has no access to the admin web").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    await page.getByLabel("Password").waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  test("is refused to a banned admin, with the reason", async () => {
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    const other = await signInAsAdmin(await openPage(), system());
    await other.browser.post("/admin/ban-user", { userId: admin.user.id });
    await page.goto(url("/"));
    await fillIn(page, admin.email, password);
    await page.getByText("You have been banned from this application.").waitFor();
    await page.getByText("Ask another admin to unban you.").waitFor();
  });

  matrixTest("redirects an admin who is already signed in", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/sign-in?redirect=%2Fusers"));
    await heading(page, "Users").waitFor();
  });

  /** A link to the sign-in page must not lead its visitor to another site after sign-in. */
  test.each(["https://evil.example/", "//evil.example/", "/\t/["])(
    "a foreign address is not gone to after signing in: %s",
    async (redirect) => {
      const admin = await signUp(system());
      await setRole(system(), admin.user.id, "admin");
      const page = await openPage();
      await page.goto(url(`/sign-in?redirect=${encodeURIComponent(redirect)}`));
      await fillIn(page, admin.email, password);
      await heading(page, "Home").waitFor();
      expect(new URL(page.url()).origin).toBe(system().origin);
    },
  );
});

describe("while signed in", () => {
  const loadAgain = (page: Page) => page.getByRole("button", { name: "Refresh" }).click();

  const onUsers = async () => {
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    await page.goto(url("/users"));
    await page.getByRole("row").nth(1).waitFor();
    return { page, admin };
  };

  test("a demoted admin's next action leads to the sign-in page, with the reason", async () => {
    const { page, admin } = await onUsers();
    await setRole(system(), admin.user.id, "user");
    await loadAgain(page);
    await page.getByText("Your account no longer has access to the admin web.").waitFor();
    await page.getByText(admin.email).waitFor();
    await expectAccessible(page);
  });

  test("a banned admin's next action leads to the sign-in page, with the reason", async () => {
    const { page, admin } = await onUsers();
    const other = await signInAsAdmin(await openPage(), system());
    await other.browser.post("/admin/ban-user", { userId: admin.user.id });
    await loadAgain(page);
    await page.getByText("Your session has ended").waitFor();
    await heading(page, "Sign in").waitFor();
    expect(new URL(page.url()).searchParams.get("redirect")).toBe("/users");
  });

  test("an admin with some permissions sees links to the permitted screens only", async () => {
    const page = await openPage();
    await signInAs(page, system(), "support");
    await page.goto(url("/"));
    const ways = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
    await ways.first().waitFor();
    expect(await ways.allInnerTexts()).toEqual(["Home", "Users"]);
  });
});
