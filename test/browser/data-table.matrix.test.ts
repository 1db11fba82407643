import { text as readText } from "node:stream/consumers";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { callAdminInternal, password } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt } from "./look-at.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";
import { signInAsAdmin, webConfig } from "./web-users.ts";
import { watchShifts } from "./watch-shifts.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

const hostileName = `<img src=x onerror="alert(1)">{{7*7}}<script>alert(2)</script>`;
const seededCount = 119;
const addressOf = (index: number) => `user${String(index).padStart(3, "0")}@example.com`;

beforeAll(async () => {
  const create = async (index: number) => {
    const { status } = await callAdminInternal(system(), "/create-user", {
      email: addressOf(index),
      password,
      name: index === 0 ? hostileName : `Person ${index}`,
    });
    expect(status).toBe(200);
  };
  for (let from = 0; from < seededCount; from += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, seededCount - from) }, (_, step) => create(from + step)),
    );
});

const rows = (page: Page) => page.getByRole("grid").locator("tbody:not([aria-hidden]) > tr");
const firstAddress = async (page: Page) =>
  (await rows(page).first().getByRole("link").innerText()).split("\n").at(-1);
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

const focusedText = (page: Page) =>
  page.evaluate<string | undefined>("document.activeElement?.textContent");

const isFocused = (target: Locator) => target.evaluate((element) => element.matches(":focus"));

/** Runs in the page. Returns the element in which the table scrolls. */
const scroller = () => document.querySelector("[role=grid]")?.parentElement;

/** Returns how much of the table is out of sight sideways. */
const hiddenWidth = (page: Page) =>
  page.evaluate<number>(
    `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)((${String(scroller)})())`,
  );

const showColumns = async (page: Page, ...names: string[]) => {
  await page.getByRole("button", { name: "Columns" }).click();
  for (const name of names) {
    const choice = page.getByRole("menuitemcheckbox", { name, exact: true });
    if ((await choice.getAttribute("aria-checked")) === "false") await choice.click();
  }
  await page.keyboard.press("Escape");
};

/** Undoes a choice of columns, if there is one. */
const showColumnsThatFit = async (page: Page) => {
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox").first().waitFor();
  const undo = page.getByRole("menuitem", { name: "Show what fits" });
  if ((await undo.count()) > 0) await undo.click();
  else await page.keyboard.press("Escape");
};

/** Ten rows, because a page with more costs much more to draw and to check. */
const tenRows = "?sort=email&dir=asc&q=user00";

const openUsers = async (search = "?sort=email&dir=asc&q=user") => {
  const page = await openPage();
  const admin = await signInAsAdmin(page, system());
  await page.goto(url(`/users${search}`));
  await rows(page).first().waitFor();
  return { page, admin };
};

describe("a table", () => {
  test("moves to the next page and back by its buttons, the address and the browser's history", async () => {
    const { page } = await openUsers();
    await expect.poll(() => rows(page).count()).toBe(50);
    await page.getByText(`${seededCount} users`).waitFor();
    expect(await page.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Next" }).click();
    await expect.poll(() => firstAddress(page)).toBe(addressOf(50));
    await page.getByRole("button", { name: "Next" }).click();
    await expect.poll(() => firstAddress(page)).toBe(addressOf(100));
    await expect.poll(() => rows(page).count()).toBe(19);
    const next = page.getByRole("button", { name: "Next" });
    expect(await next.isDisabled()).toBe(true);
    await expect.poll(() => focusedText(page)).toBe("Next");
    await page.reload();
    await expect.poll(() => firstAddress(page)).toBe(addressOf(100));
    await page.getByRole("button", { name: "Previous" }).click();
    await expect.poll(() => firstAddress(page)).toBe(addressOf(50));
    await page.goBack();
    await expect.poll(() => firstAddress(page)).toBe(addressOf(100));
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByRole("button", { name: "Previous" }).click();
    await expect.poll(() => firstAddress(page)).toBe(addressOf(0));
  });

  matrixTest("searches for any text, and keeps the search in its address", async () => {
    const { page } = await openUsers("");
    const box = page.getByRole("searchbox", { name: "Search users" });
    await box.fill("user05");
    await page.getByText("10 users").waitFor();
    expect(param(page, "q")).toBe("user05");
    await page.reload();
    await page.getByText("10 users").waitFor();
    expect(await box.inputValue()).toBe("user05");
    await box.fill("nobody is called so");
    await page.getByText("No results").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Clear search" }).click();
    await rows(page).first().waitFor();
    expect(param(page, "q")).toBeNull();
    // Any input is plain text.
    for (const text of ["0123", "true", "%", "'; drop table x; --", '{"a":1}']) {
      await box.fill(text);
      await expect.poll(() => param(page, "q")).toBe(text);
      await page.getByText("No results").waitFor();
    }
  });

  matrixTest("is sorted and filtered by the server", async () => {
    const { page } = await openUsers("?sort=name&dir=asc&q=user11");
    const header = page.getByRole("columnheader", { name: "User", exact: true });
    expect(await header.getAttribute("aria-sort")).toBe("ascending");
    await header.getByRole("button").click();
    await expect.poll(() => firstAddress(page)).toBe(addressOf(seededCount - 1));
    expect(await header.getAttribute("aria-sort")).toBe("descending");
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Banned", exact: true }).click();
    await page.getByText("No results").waitFor();
    expect(param(page, "state")).toBe("banned");
  });

  test("is one stop of the Tab key, with arrow keys to all of its cells and controls", async () => {
    const { page } = await openUsers(tenRows);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
      });
    await page.getByRole("button", { name: "Save view" }).focus();
    await press("Tab");
    expect(await focused()).toContain(addressOf(0));
    await press("Tab");
    expect(await focused()).toBe("Previous");
    await press("Shift+Tab");
    expect(await focused()).toContain(addressOf(0));
    await press("j", "j", "k");
    expect(await focused()).toContain(addressOf(1));
    await press("x");
    await page.getByText(/1 selected/).waitFor();
    await press("Home", "Space");
    await page.getByText(/1 selected/).waitFor({ state: "detached" });
    await press("ArrowUp", "ArrowUp");
    expect(await focused()).toBe("Select all users on this page");
    await press("ArrowRight", "PageDown", "PageUp");
    expect(await focused()).toBe("User");
    await press("Control+End");
    expect(await focused()).toMatch(/\d{4}, \d{2}:\d{2}/);
    await expectAccessible(page);
    await press("Control+Home", "ArrowRight", "ArrowDown", "ArrowDown", "Enter");
    await page.waitForURL(/\/admin\/users\/\w+/);
    await page.getByRole("heading", { level: 1, name: "Person 1" }).waitFor();
  });

  matrixTest("keeps the focus in sight when it moves sideways below the first column", async () => {
    const { page } = await openUsers(tenRows);
    await page.setViewportSize({ width: 560, height: 700 });
    await showColumns(page, "Role", "Last sign-in", "Signed up");
    await page.getByRole("row").nth(2).getByRole("gridcell").last().focus();
    for (const key of ["End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"]) {
      await page.keyboard.press(key);
      const isCovered = await page.evaluate(() => {
        const cell = document.activeElement?.closest("td");
        const { left = 0, top = 0 } = cell?.getBoundingClientRect() ?? {};
        return document.elementFromPoint(left + 4, top + 4)?.closest("td") !== cell;
      });
      expect(isCovered).toBe(false);
    }
  });

  /** Checks a page of a size in CSS pixels. Ends with all columns shown, and the table scrolled to its end. */
  const expectFirstColumnInSight = async (page: Page, width: number) => {
    const first = rows(page).first().getByRole("link");
    await expect.poll(() => hiddenWidth(page)).toBe(0);
    expect(await overflowOf(page)).toBe(0);
    await showColumns(page, "Role", "State", "Last sign-in", "Signed up", "ID");
    await first.scrollIntoViewIfNeeded(); // the filters alone fill a low window
    await page.evaluate(`(${String(scroller)})().scrollTo({ left: 9999 })`);
    const box = await first.boundingBox();
    expect(box && box.x >= 0 && box.x + 40 < width).toBe(true);
    const isOnTop = await first.evaluate((link) => {
      const { x, y, height } = link.getBoundingClientRect();
      return document.elementFromPoint(x + 4, y + height / 2)?.closest("a") === link;
    });
    expect(isOnTop).toBe(true);
    expect(await overflowOf(page)).toBe(0);
  };

  matrixTest("shows the first column at any scroll position and width", async () => {
    const { page } = await openUsers(tenRows);
    for (const width of [1920, 1280, 1000, 640, 400]) {
      await page.setViewportSize({ width, height: 800 });
      await expectFirstColumnInSight(page, width);
      await takePicture(page, `table-${width}-light`);
      if (width === 400) await lookAt(page, "table-400");
      else await showColumnsThatFit(page);
    }
  });

  matrixTest("shows the first column at any scroll position when zoomed", async () => {
    // A page at a zoom of 200 % has half of the pixels, each twice as large.
    const viewport = { width: 640, height: 400 };
    const page = await openPage({ viewport, deviceScaleFactor: 2 });
    await signInAsAdmin(page, system());
    await page.goto(url(`/users${tenRows}`));
    await rows(page).first().waitFor();
    await expectFirstColumnInSight(page, viewport.width);
    await lookAt(page, "table-1280-zoomed");
  });

  matrixTest("fits the tables of all screens into a phone and a zoomed laptop", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    for (const path of ["/audit", "/settings", "/queues"]) {
      await page.goto(url(path));
      const table = page.getByRole("grid").or(page.getByRole("table")).first();
      await table.locator("tbody:not([aria-hidden]) > tr").first().waitFor();
      for (const width of [400, 640]) {
        await page.setViewportSize({ width, height: 700 });
        expect(await overflowOf(page), `${path} at ${width} pixels`).toBe(0);
        const first = table.locator("tbody:not([aria-hidden]) > tr > :first-child").first();
        // A row that is replaced while it is refreshed has no box.
        await expect.poll(async () => (await first.boundingBox())?.x).toBeGreaterThanOrEqual(0);
        expect((await first.boundingBox())?.x).toBeLessThan(width);
      }
    }
  });

  matrixTest("hides what fits least, and shows a chosen column at any width", async () => {
    const { page } = await openUsers(tenRows);
    await page.setViewportSize({ width: 1500, height: 700 });
    const shown = () => page.getByRole("columnheader").allInnerTexts();
    expect(await shown()).toEqual([
      "",
      "User",
      "Role",
      "State",
      "Second factor",
      "Last sign-in",
      "Signed up",
      "ID",
    ]);
    const all = await shown();
    const leaving = ["ID", "Second factor", "Signed up", "Role", "Last sign-in", "State"];
    const seen: string[][] = [];
    // The navigation leaves at the first of these widths.
    for (let width = 1000; width >= 360; width -= 20) {
      await page.setViewportSize({ width, height: 700 });
      const names = await shown();
      if (names.length !== seen.at(-1)?.length) seen.push(names);
    }
    const goneFirst = all.length - (seen[0]?.length ?? 0);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(
      seen.map((_, count) =>
        all.filter((name) => !leaving.slice(0, goneFirst + count).includes(name)),
      ),
    );
    await page.setViewportSize({ width: 500, height: 700 });
    await page.getByRole("button", { name: "Columns" }).click();
    const choice = page.getByRole("menuitemcheckbox", { name: "ID" });
    expect(await choice.getAttribute("aria-checked")).toBe("false");
    await choice.click();
    expect(await choice.getAttribute("aria-checked")).toBe("true");
    await expect.poll(shown).toContain("ID");
    await page.getByRole("menuitem", { name: "Show what fits" }).click();
    await expect.poll(shown).not.toContain("ID");
  });

  matrixTest("opens a row on a click, but not when its text is selected by mouse", async () => {
    const { page } = await openUsers("?q=user001");
    const name = page.getByRole("gridcell", { name: "Not verified" }).locator("span");
    const box = await name.boundingBox();
    if (!box) throw new Error("the state is not shown");
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate<string>("String(getSelection())")).toContain("verified");
    expect(new URL(page.url()).pathname).toBe("/admin/users");
    await name.click();
    await page.waitForURL(/\/admin\/users\/\w+/);
  });

  test("exports all rows that match as CSV, and waits when there are too many requests", async () => {
    const { page } = await openUsers("?q=user&sort=email&dir=asc");
    let refusals = 2;
    await page.route("**/admin/list-users?*limit=1000*", (route) =>
      refusals-- > 0
        ? route.fulfill({ status: 429, headers: { "retry-after": "0" }, body: "" })
        : route.continue(),
    );
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog", { name: "Export users" });
    await matrixStep(() => expectAccessible(page));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Export" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^users-\d{4}-\d{2}-\d{2}\.csv$/);
    const lines = (await readText(await download.createReadStream())).split("\r\n");
    expect(lines[0]).toMatch(/^id,email,emailVerified,name,/);
    expect(lines.slice(1, -1).map((line) => line.split(",")[1])).toEqual(
      Array.from({ length: seededCount }, (_, index) => addressOf(index)),
    );
    await page.getByText(`Exported ${seededCount} users.`).waitFor();
  });

  matrixTest("stops an export when its dialog is closed", async () => {
    const { page } = await openUsers(tenRows);
    await page.route("**/admin/list-users?*limit=1000*", () => {});
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog", { name: "Export users" });
    const [request] = await Promise.all([
      page.waitForRequest("**/admin/list-users?*limit=1000*"),
      dialog.getByRole("button", { name: "Export" }).click(),
    ]);
    await dialog.getByText("0 users so far…").waitFor();
    const ended = page.waitForEvent("requestfailed", (one) => one.url() === request.url());
    await page.keyboard.press("Escape");
    await ended;
    expect(await page.getByText(/^Exported/).count()).toBe(0);
  });

  matrixTest("shows hostile data as text", async () => {
    const { page } = await openUsers("?q=user000");
    await page.getByRole("gridcell", { name: hostileName }).waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    await expectAccessible(page);
  });

  matrixTest("remembers which columns are visible", async () => {
    const { page } = await openUsers(tenRows);
    const role = page.getByRole("columnheader", { name: "Role" });
    await role.waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Role" }).click();
    await role.waitFor({ state: "detached" });
    await expectAccessible(page);
    await page.reload();
    await rows(page).first().waitFor();
    expect(await role.count()).toBe(0);
  });

  matrixTest("runs an action on many rows, and reports which failed and why", async () => {
    const { page, admin } = await openUsers("?sort=createdAt&dir=desc");
    await page.getByRole("checkbox", { name: `Select ${admin.email}` }).click();
    await page.getByRole("checkbox", { name: `Select ${addressOf(118)}` }).click();
    await page.getByText(/2 selected/).waitFor();
    await page.getByRole("button", { name: "Ban", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Ban 2 users" });
    await dialog.getByText("The users are signed out everywhere").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Ban" }).click();
    await page.getByText("1 of 2 done, 1 failed").waitFor();
    await page.getByText("You cannot ban yourself. Ask another admin to do it.").waitFor();
    await expectAccessible(page);
    await takePicture(page, "bulk-light");
    await page.getByRole("button", { name: "Close" }).last().click();
    await page
      .getByRole("row", { name: new RegExp(addressOf(118)) })
      .getByText("Banned")
      .waitFor();
    await page.getByText(/1 selected/).waitFor();
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('table') !== null"))
      .toBe(true);
  });

  matrixTest("requires a word to be typed before it deletes many rows", async () => {
    const { page } = await openUsers();
    await page.getByRole("checkbox", { name: "Select all users on this page" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete 50 users?" });
    const confirm = dialog.getByRole("button", { name: "Delete" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Type delete to confirm").fill("delete");
    expect(await confirm.isDisabled()).toBe(false);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.getByText(new RegExp(`^${seededCount} users`)).waitFor();
  });

  matrixTest("selects all rows that match, on every page, and acts on them", async () => {
    const { page } = await openUsers();
    await page.getByRole("checkbox", { name: "Select all users on this page" }).click();
    await page.getByRole("button", { name: `Select all ${seededCount} users` }).click();
    await page.getByText(`${seededCount} selected`).waitFor();
    await expectAccessible(page);
    // The page is selected again without the others, which nobody has chosen again.
    await page.getByRole("checkbox", { name: `Select ${addressOf(3)}` }).click();
    await page.getByText("49 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select all users on this page" }).click();
    await page.getByText("50 selected").waitFor();
    await page.getByRole("button", { name: `Select all ${seededCount} users` }).click();
    await page.getByText(`${seededCount} selected`).waitFor();
    await page.getByRole("button", { name: "Select this page only" }).click();
    await page.getByText("50 selected").waitFor();
    await page.getByRole("button", { name: `Select all ${seededCount} users` }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    const confirmation = page.getByRole("alertdialog", { name: `Sign out ${seededCount} users?` });
    await confirmation.getByRole("button", { name: "Sign out" }).click();
    await page.getByText(`${seededCount} of ${seededCount} done`).waitFor();
    await page.getByRole("button", { name: "Close" }).last().click();
    await page.getByText(/ selected/).waitFor({ state: "detached" });
  });

  matrixTest("shifts no layout while its rows load", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    const shifts = await watchShifts(page);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/admin/list-users*", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(url("/users"));
    await page.getByRole("columnheader", { name: "User", exact: true }).waitFor();
    await expectAccessible(page);
    await takePicture(page, "users-loading-light");
    release();
    await rows(page).first().waitFor();
    expect(await shifts()).toEqual([]);
  });

  matrixTest("reports that a page has become empty, and links to the first one", async () => {
    const { page } = await openUsers();
    await page.route(/list-users.*cursor=/, (route) =>
      route.fulfill({ json: { users: [], total: 50 } }),
    );
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("No rows on this page").waitFor();
    await page.getByRole("button", { name: "First page" }).click();
    await expect.poll(() => firstAddress(page)).toBe(addressOf(0));
    expect(await page.evaluate("document.activeElement !== document.body")).toBe(true);
  });

  matrixTest("reports over its rows that they could not be refreshed, until they can", async () => {
    const { page } = await openUsers(tenRows);
    await page.route("**/admin/list-users*", (route) => route.fulfill({ status: 500, body: "" }));
    const again = page.getByRole("button", { name: "Refresh" });
    await again.click();
    const notice = page.getByRole("alert").filter({ hasText: "The request failed." });
    await notice.waitFor();
    await rows(page).first().waitFor();
    expect(await isFocused(again)).toBe(true);
    await expectAccessible(page);
    await page.unroute("**/admin/list-users*");
    await notice.getByRole("button", { name: "Try again" }).click();
    await notice.waitFor({ state: "detached" });
  });

  test("reports a lost connection, and retries until it is back", async () => {
    const { page } = await openUsers(tenRows);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Refresh" }).click();
    const notice = page.getByText("Latchkey is not responding. Trying again…");
    await notice.waitFor();
    await rows(page).first().waitFor();
    const isInTheWay = await notice.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect(isInTheWay).toBe(false);
    await page.context().setOffline(false);
    await notice.waitFor({ state: "hidden" });
    await rows(page).first().waitFor();
  });
});
