import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { openRows, type Rows } from "../harness/rows.ts";
import {
  callAdminInternal,
  newEmail,
  password,
  signUp,
  type TestUser,
  trySignIn,
} from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt } from "./look-at.ts";
import { cutTextsOf } from "./overflow-of.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

const hostile = {
  markup: `<img src=x onerror="alert(1)"><script>alert(2)</script>`,
  turned: "\u202Egnp.exe שלום",
  long: "W".repeat(1024),
  animals: "👩‍👩‍👧‍👦🦊".repeat(40),
};

let database: Rows;
beforeAll(() => {
  database = openRows(system());
});
afterAll(() => database.close());

beforeAll(async () => {
  for (const [name, text] of Object.entries(hostile)) {
    const email = `hostile-${name}@example.com`;
    const { status } = await callAdminInternal(system(), "/create-user", {
      email,
      password,
      name: text,
    });
    expect(status).toBe(200);
  }
});

const rows = (page: Page) => page.getByRole("grid", { name: "users" }).locator("tbody > tr");
const rowOf = (page: Page, email: string) => rows(page).filter({ hasText: email });
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

const openUsers = async (search = "") => {
  const page = await openPage();
  const admin = await signInAsAdmin(page, system());
  await page.goto(url(`/users${search}`));
  await rows(page).getByRole("link").first().waitFor();
  return { page, admin };
};

const choose = async (page: Page, filter: string, choice: string) => {
  await page.getByRole("combobox", { name: filter }).click();
  await page.getByRole("option", { name: choice, exact: true }).click();
};

/** Ends all sessions of a user, as their expiry does. */
const endSessions = async (user: TestUser) => {
  expect((await user.browser.post("/revoke-sessions", {})).status).toBe(200);
};

const signInAgain = async (page: Page, { email }: TestUser) => {
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.getByLabel(/^Email/).fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Users", includeHidden: true }).waitFor();
};

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Create user" });

matrixTest("shows and finds the domain of an email in Unicode", async () => {
  const email = "ada@müller.example";
  const { status } = await callAdminInternal(system(), "/create-user", {
    email,
    password,
    name: "Ada of the umlaut",
  });
  expect(status).toBe(200);
  const { page } = await openUsers("?q=@M%C3%9CLLER.example");
  await rowOf(page, email).getByRole("link", { name: email }).click();
  await page.getByRole("heading", { level: 1, name: "Ada of the umlaut" }).waitFor();
  await page.getByText(email, { exact: true }).first().waitFor();
});

describe("the list of users", () => {
  matrixTest("shows the newest user first", async () => {
    const newest = await signUp(system());
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    await page.goto(url("/users"));
    await expect.poll(() => rows(page).nth(0).innerText()).toContain(admin.email);
    expect(await rows(page).nth(1).innerText()).toContain(newest.email);
  });

  test("finds a user by address, by name and by ID in one box", async () => {
    const { page, admin } = await openUsers();
    const box = page.getByRole("searchbox", { name: "Search users" });
    for (const [text, email] of [
      ["hostile-turned", "hostile-turned@example.com"],
      ["שלום", "hostile-turned@example.com"],
      [admin.user.id, admin.email],
      [admin.email, admin.email],
    ] as const) {
      await box.fill(text);
      await page.getByText("1 user", { exact: true }).waitFor();
      await rowOf(page, email).waitFor();
    }
  });

  matrixTest("combines filters, and keeps them in its address", async () => {
    const { page, admin } = await openUsers();
    await choose(page, "Role", "admin");
    await rowOf(page, "hostile-long@example.com").waitFor({ state: "detached" });
    await rowOf(page, admin.email).waitFor();
    await choose(page, "Email", "Not verified");
    await choose(page, "Second factor", "Without second factor");
    await choose(page, "Signs in with", "Password");
    await choose(page, "Signed up", "Today");
    await rowOf(page, admin.email).waitFor();
    const names = ["role", "email", "factor", "way", "days"];
    expect(names.map((name) => param(page, name))).toEqual([
      "admin",
      "unverified",
      "off",
      "password",
      "1",
    ]);
    await choose(page, "State", "Banned");
    await page.getByText("No results").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await rowOf(page, "hostile-long@example.com").waitFor();
    expect(names.map((name) => param(page, name))).toEqual([null, null, null, null, null]);
  });

  test("finds a user by the address of the last sign-in, and shows when it was", async () => {
    const { page, admin } = await openUsers();
    await page.getByRole("searchbox", { name: "Search users" }).fill("127.0.0.1");
    await rowOf(page, "hostile-long@example.com").waitFor({ state: "detached" });
    await expect
      .poll(async () => {
        await page.getByRole("button", { name: "Refresh" }).click();
        return rowOf(page, admin.email).getByText("now", { exact: true }).count();
      })
      .toBeGreaterThan(0);
  });

  test("saves a search as a view, for this admin only", async () => {
    const { page } = await openUsers("?email=unverified");
    await page.getByRole("button", { name: "Save view" }).click();
    const dialog = page.getByRole("dialog", { name: "Save view" });
    await dialog.getByRole("button", { name: "Save view" }).click();
    await dialog.getByText("Enter a name.").waitFor();
    await dialog.getByLabel("Name").fill("To verify");
    await dialog.getByRole("button", { name: "Save view" }).click();
    const views = page.getByRole("list", { name: "Saved views" });
    await page.goto(url("/"));
    await views.getByRole("link", { name: "To verify" }).click();
    await rows(page).first().waitFor();
    expect(param(page, "email")).toBe("unverified");
    await matrixStep(() => expectAccessible(page));
    await signInAsAdmin(page, system());
    await page.reload();
    await rows(page).first().waitFor();
    expect(await views.count()).toBe(0);
    await matrixStep(async () => {
      await page.getByRole("button", { name: "Save view" }).click();
      await dialog.getByLabel("Name").fill("Mine");
      await dialog.getByRole("button", { name: "Save view" }).click();
      await views.getByRole("link", { name: "Mine" }).waitFor();
      await page.getByRole("button", { name: "Remove view" }).click();
      await views.waitFor({ state: "detached" });
    });
  });

  test("shows a user beside the list on Space, and closes on Escape", async () => {
    const { page, admin } = await openUsers();
    await page.keyboard.press("j");
    await page.keyboard.press("Space");
    const preview = page.getByRole("dialog", { name: "Ada" });
    await preview.getByText(admin.email, { exact: true }).waitFor();
    await preview.getByText("Can sign in").waitFor();
    await matrixStep(() => expectAccessible(page));
    await page.keyboard.press("Escape");
    await preview.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate<string>("document.activeElement.textContent"))
      .toContain(admin.email);
    await matrixStep(async () => {
      await page.keyboard.press("Space");
      await preview.getByRole("link", { name: "Open user" }).click();
      await page.waitForURL(url(`/users/${admin.user.id}`));
    });
  });

  matrixTest("cuts neither emails nor times beside empty space", async () => {
    const email = "katharina.von-lindenberger@example.com";
    await callAdminInternal(system(), "/create-user", { email, password, name: "Katharina" });
    const { page } = await openUsers("?q=katharina");
    const cells = rowOf(page, email).getByRole("gridcell");
    for (const cell of [
      cells.filter({ hasText: email }),
      cells.filter({ has: page.locator("time") }),
    ]) {
      expect(await cell.count()).toBe(1);
      expect(await cutTextsOf(cell)).toEqual([]);
    }
  });

  matrixTest("shows hostile names as text without breaking the layout", async () => {
    const { page } = await openUsers("?q=hostile");
    await page.getByText("4 users").waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    await page.getByRole("gridcell", { name: hostile.markup }).waitFor();
    const heights = await rows(page).evaluateAll((all) =>
      all.map(({ clientHeight }) => clientHeight),
    );
    expect(Math.max(...heights)).toBeLessThanOrEqual(46);
    const isScrolled = await page.evaluate(
      "document.documentElement.scrollWidth > window.innerWidth",
    );
    expect(isScrolled).toBe(false);
  });

  matrixTest("looks right in both themes", async () => {
    const { page } = await openUsers();
    await rows(page).getByRole("link").first().waitFor();
    await lookAt(page, "users");
    await page.getByRole("button", { name: "Create user" }).click();
    await dialogOf(page).waitFor();
    await lookAt(page, "user-create");
  });
});

describe("a place in the list of users", () => {
  const scroller = (page: Page) => page.getByRole("grid", { name: "users" }).locator("..");
  const topOf = (page: Page) => scroller(page).evaluate(({ scrollTop }) => scrollTop);

  /** Scrolls again until the rows below the first screen exist, because the list renders them later. */
  const scrollTo = (page: Page, top: number) =>
    expect
      .poll(() =>
        scroller(page).evaluate((element, to) => {
          element.scrollTo(0, to);
          return element.scrollTop;
        }, top),
      )
      .toBe(top);

  matrixTest("is found again by the back button and after signing in again", async () => {
    for (let count = 0; count < 20; count += 1) await signUp(system());
    const { page, admin } = await openUsers();
    await scrollTo(page, 400);
    await rows(page).nth(12).getByRole("link").click();
    await page.getByRole("tablist").waitFor();
    await page.goBack();
    await expect.poll(() => topOf(page)).toBe(400);
    await endSessions(admin);
    await page.getByRole("button", { name: "Refresh" }).click();
    await signInAgain(page, admin);
    await expect.poll(() => topOf(page)).toBe(400);
  });

  const openForm = async () => {
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    await page.goto(url("/users?do=create"));
    await dialogOf(page).waitFor();
    return { page, admin };
  };

  test("keeps the input of a form, but no password, until the user signs out", async () => {
    const { page, admin } = await openForm();
    const field = (name: string) => dialogOf(page).getByLabel(name, { exact: true });
    await field("Email").fill("draft@example.com");
    await field("Name").fill("Draft");
    await field("Password").fill("not to be kept");
    await matrixStep(async () => {
      await endSessions(admin);
      await dialogOf(page).getByRole("button", { name: "Create user" }).click();
      await signInAgain(page, admin);
      await expect.poll(() => field("Email").inputValue()).toBe("draft@example.com");
    });
    await page.reload();
    await expect.poll(() => field("Email").inputValue()).toBe("draft@example.com");
    expect(await field("Name").inputValue()).toBe("Draft");
    expect(await field("Password").inputValue()).toBe("");
    const readStorage = () => page.evaluate<string>("JSON.stringify(sessionStorage)");
    expect(await readStorage()).not.toContain("not to be kept");
    await field("Name").fill("Changed");
    await page.reload();
    await expect.poll(() => field("Name").inputValue()).toBe("Changed");
    await page.goto(url("/settings"));
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    expect(await readStorage()).not.toContain("draft@example.com");
  });

  matrixTest(
    "keeps the input of an invitation, and not that of a ban of several users",
    async () => {
      const { page, admin } = await openForm();
      await page.goto(url("/users?do=invite"));
      const invitation = page.getByRole("dialog", { name: "Invite user" });
      const name = invitation.getByLabel("Name", { exact: true });
      await name.fill("Invited");
      await page.reload();
      await expect.poll(() => name.inputValue()).toBe("Invited");
      await invitation.getByRole("button", { name: "Cancel" }).click();
      const openBanDialog = async () => {
        await page.getByRole("checkbox", { name: `Select ${admin.email}` }).click();
        await page.getByRole("button", { name: "Ban", exact: true }).click();
      };
      await openBanDialog();
      const reason = page.getByRole("dialog", { name: "Ban 1 user" }).getByLabel("Reason");
      await reason.fill("Spam");
      await page.reload();
      await openBanDialog();
      expect(await reason.inputValue()).toBe("");
    },
  );

  matrixTest("forgets a form that the user closes", async () => {
    const { page } = await openForm();
    await dialogOf(page).getByLabel("Name", { exact: true }).fill("Given up");
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Create user" }).click();
    expect(await dialogOf(page).getByLabel("Name", { exact: true }).inputValue()).toBe("");
  });
});

describe("actions on many users at once", () => {
  test("ban, unban, sign out and delete them", async () => {
    const people = await Promise.all([signUp(system()), signUp(system())]);
    const { page } = await openUsers();
    const doToBoth = async (action: string, typed?: string) => {
      for (const { email } of people) {
        const box = page.getByRole("checkbox", { name: `Select ${email}` });
        if (!(await box.isChecked())) await box.click();
      }
      await page.getByRole("button", { name: action, exact: true }).click();
      if (action === "Ban") return;
      const confirmation = page.getByRole("alertdialog", { name: `${action} 2 users?` });
      if (typed) await confirmation.getByLabel(`Type ${typed} to confirm`).fill(typed);
      await confirmation.getByRole("button", { name: action }).click();
      await page.getByText("2 of 2 done").waitFor();
      await page.getByRole("button", { name: "Close" }).last().click();
    };
    await doToBoth("Ban");
    const ban = page.getByRole("dialog", { name: "Ban 2 users" });
    await matrixStep(() => expectAccessible(page));
    await ban.getByLabel("Reason").fill("Spam");
    await choose(page, "Duration", "7 days");
    await ban.getByRole("button", { name: "Ban" }).click();
    await page.getByText("2 of 2 done").waitFor();
    await page.getByRole("button", { name: "Close" }).last().click();
    for (const { email } of people) await rowOf(page, email).getByText("Banned").waitFor();
    expect((await trySignIn(system(), people[0].email)).status).toBe(403);
    const reasons = await database.query(
      "select ban_reason, ban_expires > now() + interval '6 days' as is_long from identity.user where email = any($1)",
      people.map(({ email }) => email),
    );
    expect(reasons).toEqual([
      { ban_reason: "Spam", is_long: true },
      { ban_reason: "Spam", is_long: true },
    ]);
    await matrixStep(async () => {
      await doToBoth("Unban");
      for (const { email } of people) await rowOf(page, email).getByText("Not verified").waitFor();
      const { browser, status } = await trySignIn(system(), people[0].email);
      expect(status).toBe(200);
      await doToBoth("Sign out");
      expect(await (await browser.get("/get-session")).json()).toBeNull();
    });
    await doToBoth("Delete", "delete");
    for (const { email } of people) await rowOf(page, email).waitFor({ state: "detached" });
  });
});

describe("creating a user", () => {
  matrixTest("reports missing values, and the errors of the server", async () => {
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    await page.goto(url("/users?do=create"));
    const dialog = dialogOf(page);
    await dialog.getByRole("button", { name: "Create user" }).click();
    await dialog.getByText("Enter an email such as name@example.com.").waitFor();
    await dialog.getByText("Enter a name.").waitFor();
    await dialog.getByText("Enter or generate a password.").waitFor();
    await expectAccessible(page);
    await dialog.getByLabel("Email", { exact: true }).fill(admin.email);
    await dialog.getByLabel("Name").fill("Somebody");
    await dialog.getByLabel("Password", { exact: true }).fill("short");
    await dialog.getByRole("button", { name: "Create user" }).click();
    await dialog.getByText("Password too short").waitFor();
    await dialog.getByRole("button", { name: "Generate" }).click();
    expect(await dialog.getByLabel("Password", { exact: true }).inputValue()).toMatch(/^\w{20}$/);
    await dialog.getByRole("button", { name: "Create user" }).click();
    await dialog.getByText(/already exists/i).waitFor();
  });

  test("creates a user who can sign in, with roles and a verified address", async () => {
    const { page } = await openUsers();
    const email = newEmail();
    await page.getByRole("button", { name: "Create user" }).click();
    expect(param(page, "do")).toBe("create");
    const dialog = dialogOf(page);
    await dialog.getByLabel("Email", { exact: true }).fill(email);
    await dialog.getByLabel("Name").fill("Grace");
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("checkbox", { name: "support" }).click();
    await dialog.getByText("The user can sign in immediately with this password.").waitFor();
    await choose(page, "Email verification", "Mark as verified");
    await dialog.getByRole("button", { name: "Create user" }).click();
    await page.waitForURL(/\/admin\/users\/\w+$/);
    await page.getByText(`${email} created.`).waitFor();
    await page.getByRole("heading", { level: 1, name: "Grace" }).waitFor();
    await page.getByText("Verified", { exact: true }).waitFor();
    await page.getByText("support", { exact: true }).waitFor();
    expect((await trySignIn(system(), email)).status).toBe(200);
  });

  matrixTest("mails the new user a link to verify the email if the admin chooses so", async () => {
    const { page } = await openUsers();
    const email = newEmail();
    await page.getByRole("button", { name: "Create user" }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Email", { exact: true }).fill(email);
    await dialog.getByLabel("Name").fill("Grace");
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await choose(page, "Email verification", "Send verification email");
    await dialog.getByRole("button", { name: "Create user" }).click();
    await page.waitForURL(/\/admin\/users\/\w+$/);
    await system().smtp.waitForMail(email);
  });

  matrixTest("by an invitation needs no password, and can be repeated", async () => {
    const { page, admin } = await openUsers();
    const email = newEmail();
    await page.getByRole("button", { name: "Invite user" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite user" });
    await expectAccessible(page);
    await dialog.getByLabel("Email", { exact: true }).fill(admin.email);
    await dialog.getByLabel("Name").fill("Grace");
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    await dialog.getByText(/already exists/i).waitFor();
    await dialog.getByLabel("Email", { exact: true }).fill(email);
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    await page.getByText(`Invitation sent to ${email}.`).waitFor();
    await page.getByText("Invited, no password chosen yet").waitFor();
    await page.getByText("Nothing yet").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Resend invitation" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send email" }).click();
    await page.getByText(`Invitation resent to ${email}.`).waitFor();
    const mailsTo = () => system().smtp.mails.filter(({ to }) => to.includes(email));
    await system().smtp.waitForMail(() => mailsTo().length === 2);
  });

  test("is not offered to an admin who may only read, nor is any other change", async () => {
    const page = await openPage();
    await signInAs(page, system(), "support");
    await page.goto(url("/users?do=create"));
    await rows(page).getByRole("link").first().waitFor();
    expect(await dialogOf(page).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Create user" }).count()).toBe(0);
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });

  matrixTest("a list that cannot be read reports it, and loads again", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.route("**/admin/list-users*", (route) =>
      route.fulfill({ status: 500, json: { code: "INTERNAL_SERVER_ERROR", message: "Internal" } }),
    );
    await page.goto(url("/users"));
    await page
      .getByRole("alert")
      .getByText(/Try again/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.unroute("**/admin/list-users*");
    await page.getByRole("button", { name: "Try again" }).click();
    await rows(page).getByRole("link").first().waitFor();
  });
});
