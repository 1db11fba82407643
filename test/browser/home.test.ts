import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { createKey, verify } from "../harness/api-keys.ts";
import { createFailedMail, listMails, requestPasswordReset, untilMails } from "../harness/mails.ts";
import { signUp, signUpAs, type TestUser, trySignIn } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt } from "./look-at.ts";
import { takePicture } from "./take-picture.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { watchShifts } from "./watch-shifts.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

let operator: TestUser;

beforeAll(async () => {
  operator = await signUpAs(system(), "admin");
  const ada = await signUp(system());
  const { key } = await createKey(ada);
  await verify(system(), key);
  await trySignIn(system(), ada.email);
  await trySignIn(system(), ada.email, { password: "not the password" });
  await requestPasswordReset(ada);
  await untilMails(operator, ada.email, "sent");
  await createFailedMail(system(), operator, await signUp(system()));
});

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
/** The number of a metric, which chooses the large chart. */
const tab = (page: Page, name: string) => page.getByRole("tab", { name: new RegExp(`^${name}`) });
const chartOf = (page: Page, name: string) => page.getByRole("tabpanel", { name });
const health = (page: Page) =>
  page.getByRole("list", { name: "health of services" }).getByText("Ready");
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

const openHome = async (search = "") => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/${search}`));
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  return page;
};

describe("home", () => {
  matrixTest("needs few requests on a first visit", async () => {
    // A context of its own has an empty cache.
    const page = await openPage({ locale: "en" });
    await signInAsAdmin(page, system());
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(url("/"), { waitUntil: "networkidle" });
    await chartOf(page, "Sign-ups").getByRole("img").waitFor();
    await health(page).first().waitFor();
    // The page, two style sheets, a font, seven scripts with the texts, and what the visible part of Home reads.
    expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(24);
  });

  matrixTest(
    "requests nothing while its tab is hidden, and refreshes when it is shown again",
    async () => {
      const page = await openPage();
      await signInAsAdmin(page, system());
      await page.clock.install();
      await page.goto(url("/"));
      await health(page).first().waitFor();
      // Its reads start in any order.
      await page.waitForLoadState("networkidle");
      const show = (state: "hidden" | "visible") =>
        page.evaluate(`Object.defineProperty(document, "visibilityState", {
        value: "${state}",
        configurable: true,
      });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));`);
      await show("hidden");
      let count = 0;
      page.on("request", () => (count += 1));
      await page.clock.runFor("10:00");
      expect(count).toBe(0);
      await show("visible");
      const refreshed = page.waitForRequest("**/admin/health");
      await page.clock.runFor("01:00");
      await refreshed;
    },
  );

  test("shows metrics with the change, and the chosen one by day in a large chart", async () => {
    const page = await openHome();
    for (const name of ["Sign-ups", "Sign-ins", "Emails sent", "Emails failed"]) {
      await tab(page, name)
        .getByText(/^[1-9]\d*$/)
        .first()
        .waitFor();
      await tab(page, name).getByText("none previously").waitFor();
      await tab(page, name).click();
      await chartOf(page, name)
        .getByRole("img", { name: /by day, from 0 to [1-9]/ })
        .waitFor();
    }
    expect(param(page, "metric")).toBe("emails-failed");
    await chartOf(page, "Emails failed").getByRole("link", { name: "Show Emails failed" }).click();
    await page.waitForURL(url("/mail?state=failed"));
  });

  matrixTest(
    "chooses a metric by the arrow keys, Home and End, as one stop of the Tab key",
    async () => {
      const page = await openHome();
      await tab(page, "Sign-ups").focus();
      await page.keyboard.press("ArrowRight");
      await chartOf(page, "Sign-ins").getByRole("img").waitFor();
      await page.keyboard.press("End");
      await chartOf(page, "Emails failed").getByRole("img").waitFor();
      await page.keyboard.press("Home");
      await chartOf(page, "Sign-ups").getByRole("img").waitFor();
      await page.keyboard.press("ArrowLeft");
      await chartOf(page, "Emails failed").getByRole("img").waitFor();
      await expect
        .poll(() => page.evaluate<string>("document.activeElement.textContent"))
        .toMatch(/^Emails failed/);
      await page.keyboard.press("Tab");
      expect(await page.evaluate<string>("document.activeElement.role ?? ''")).not.toBe("tab");
      await page.reload();
      await chartOf(page, "Emails failed").getByRole("img").waitFor();
    },
  );

  matrixTest("shows by which methods users signed in, and why sign-ins failed", async () => {
    const page = await openHome();
    const methods = page.getByRole("list", { name: "Methods", exact: true });
    // It is read once it is in sight.
    await card(page, "Sign-ins by method").scrollIntoViewIfNeeded();
    await methods
      .getByRole("listitem")
      .filter({ hasText: /^Password[1-9]\d*$/ })
      .waitFor();
    const reasons = page.getByRole("list", { name: "Failures by reason" });
    await reasons.getByRole("listitem").filter({ hasText: "Wrong password1" }).waitFor();
  });

  matrixTest("shows the newest users, and leads to them", async () => {
    const page = await openHome();
    const newest = page.getByRole("list", { name: "Newest users" });
    const person = await signUp(system());
    await page.reload();
    await card(page, "Newest users").scrollIntoViewIfNeeded();
    const row = newest.getByRole("listitem").filter({ hasText: person.email });
    await row.getByRole("link").click();
    await page.waitForURL(url(`/users/${person.user.id}`));
  });

  matrixTest("shows the value of each day under the pointer and by the arrow keys", async () => {
    const page = await openHome();
    const chart = chartOf(page, "Sign-ups").getByRole("img", { name: /by day, .* arrow keys/ });
    await page.waitForLoadState("networkidle");
    const box = await chart.boundingBox();
    if (!box) throw new Error("the chart is not shown");
    await page.mouse.move(box.x + box.width - 2, box.y + 5);
    await chartOf(page, "Sign-ups")
      .getByText(/^today so far: [1-9]\d* sign-ups, before 0$/)
      .waitFor();
    // Screen readers speak only changes by key.
    const spoken = chartOf(page, "Sign-ups").getByRole("status");
    expect(await spoken.textContent()).toBe("");
    await page.mouse.move(0, 0);
    await chartOf(page, "Sign-ups").getByText("sign-ups per day").waitFor();
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect
      .poll(() => spoken.textContent())
      .toMatch(/^\d+ [A-Z][a-z]{2}: 0 sign-ups, before 0$/);
    await page.keyboard.press("Shift+ArrowLeft");
    await expect
      .poll(() => spoken.textContent())
      .toMatch(/^\d+ [A-Z][a-z]{2} – \d+ [A-Z][a-z]{2}$/);
  });

  matrixTest("shows the metrics of the days in the address", async () => {
    const page = await openHome();
    await tab(page, "Sign-ups").getByText("none previously").waitFor();
    await page.getByRole("button", { name: /Period/ }).click();
    await page.getByLabel("First day").fill("2020-01-01");
    await page.getByLabel("Last day").fill("2020-12-31");
    await page.getByText("Choose at most 200 days.").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Last day").fill("2020-01-31");
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/admin/statistics/identity*", async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole("button", { name: "Apply" }).click();
    // Without this state, the numbers of the earlier days would be read as those of the new ones.
    await expect.poll(() => tab(page, "Sign-ups").getAttribute("aria-busy")).toBe("true");
    expect(await chartOf(page, "Sign-ups").getByRole("img").count()).toBe(0);
    release();
    await tab(page, "Sign-ups").getByText("no change").waitFor();
    expect([param(page, "from"), param(page, "to")]).toEqual(["2020-01-01", "2020-01-31"]);
    await page.reload();
    await page.getByRole("button", { name: /^Period 1\s?–\s?31 Jan 2020$/ }).waitFor();
    await page.getByRole("button", { name: /Period/ }).click();
    await page.getByRole("button", { name: "Last 7 days" }).click();
    await tab(page, "Sign-ups").getByText("none previously").waitFor();
  });

  matrixTest("ignores invalid days in the address", async () => {
    const page = await openHome("?from=2024-01-01&to=1999-99-99");
    await tab(page, "Sign-ups").getByText("none previously").waitFor();
  });

  matrixTest("shows every service with its version and its dependencies", async () => {
    const page = await openHome();
    const list = page.getByRole("list", { name: "health of services" });
    const names = ["gateway", "identity", "organization", "apikey", "mailer", "webhooks"];
    for (const name of names) {
      const row = list
        .locator(":scope > li")
        .filter({ has: page.getByText(name, { exact: true }) })
        .first();
      await row.getByText("Ready", { exact: true }).waitFor();
      await row.getByText(/^\d+\.\d+\.\d+/).waitFor();
    }
    await list.getByRole("list", { name: "What mailer depends on" }).waitFor();
  });

  test("reports what needs attention, and links to it", async () => {
    const page = await openHome();
    const list = page.getByRole("list", { name: "What needs attention" });
    // Failed mails raise one concern, however many they are: the user's earlier mails may have failed with the one created here.
    const { total } = await listMails(operator, { state: "failed" });
    const concern = list.getByRole("link", {
      name: total === 1 ? "1 email could not be sent" : `${total} emails could not be sent`,
    });
    await concern.waitFor();
    expect(await list.getByText("failed").count()).toBe(0);
    await concern.click();
    await page.waitForURL(url("/mail?state=failed"));
  });

  matrixTest("reports a service that does not answer immediately", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.route("**/admin/health", async (route) => {
      const answer = await route.fetch();
      const { services } = (await answer.json()) as { services: { name: string }[] };
      const others = services.filter(({ name }) => name !== "mailer");
      const away = { name: "mailer", version: null, isReady: false, checks: {} };
      await route.fulfill({ json: { services: [...others, away] } });
    });
    await page.goto(url("/"));
    await page.getByText("mailer is not ready").waitFor();
    await page
      .getByRole("list", { name: "health of services" })
      .getByRole("listitem")
      .filter({ hasText: "mailer" })
      .getByText("Not responding", { exact: true })
      .waitFor();
    await expectAccessible(page);
  });

  matrixTest.each([1280, 1000])(
    "shifts no layout while the numbers load, %i pixels wide",
    async (width) => {
      const page = await openPage({ viewport: { width, height: 800 } });
      await signInAsAdmin(page, system());
      const shifts = await watchShifts(page);
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route("**/admin/statistics/**", async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(url("/"));
      await page.getByRole("list", { name: "What needs attention" }).waitFor();
      await expectAccessible(page);
      await takePicture(page, `home-loading-${width}`);
      release();
      await chartOf(page, "Sign-ups").getByRole("img").waitFor();
      expect(await shifts()).toEqual([]);
    },
  );

  test("shows an error in place of data that cannot be read", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    for (const path of ["**/admin/statistics/mails*", "**/admin/health"])
      await page.route(path, (route) =>
        route.fulfill({ status: 500, json: { code: "INTERNAL_SERVER_ERROR", message: "Broken" } }),
      );
    await page.goto(url("/"));
    await tab(page, "Emails sent")
      .getByText(/Broken/)
      .waitFor();
    await chartOf(page, "Sign-ups").getByRole("img").waitFor();
    await page.getByText("Some checks failed. Broken.").waitFor();
    await card(page, "Health").getByRole("alert").getByText("Broken.").waitFor();
    await expectAccessible(page);
    await page.unroute("**/admin/health");
    await card(page, "Health").getByRole("button", { name: "Try again" }).click();
    await health(page).first().waitFor();
  });

  test("shows an admin without statistics what they may do and see", async () => {
    const page = await openPage();
    const support = await signInAs(page, system(), "support");
    await page.goto(url("/"));
    await card(page, "What you may do").getByText("list", { exact: true }).waitFor();
    await page.getByRole("list", { name: "Newest users" }).getByText(support.email).waitFor();
    expect(await page.getByRole("tab").count()).toBe(0);
    expect(await card(page, "Needs attention").count()).toBe(0);
    await matrixStep(() => expectAccessible(page));
  });

  matrixTest("looks right in both themes", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/"));
    await tab(page, "Sign-ups").getByText("none previously").waitFor();
    await page.getByRole("list", { name: "What needs attention" }).waitFor();
    await health(page).first().waitFor();
    await lookAt(page, "home");
  });
});
