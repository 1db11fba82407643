import { text as readText } from "node:stream/consumers";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Download, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { openRows } from "../harness/rows.ts";
import { setRole, signUp, type TestUser } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt, lookWideAndNarrow } from "./look-at.ts";
import { cutTextsOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({ config: webConfig });

const schemas = ["identity", "organization", "apikey", "mailer", "webhooks"] as const;
const seededCount = 120;
const hostile = `<img src=x onerror="alert(1)"> \u202E${"🦊x".repeat(5_000)}`;

interface Exported {
  service: string;
  id: string;
  action: string;
  occurredAt: string;
}

const seededAddress = "192.0.2.1";

let ada: TestUser;
/** A user who is deleted after acting. */
const goneId = "gone-for-good";
beforeAll(async () => {
  ada = await signUp(system());
  const sql = openRows(system());
  // Alternates between the services, with some entries at the same time.
  for (const [turn, schema] of schemas.entries())
    await sql.query(
      `insert into ${schema}.audit
         (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id, before, after)
       select timestamptz '2026-01-01T00:00:00Z' + (n / 8) * interval '1 second', 'service', 'seeder', 'thing', n::text,
         'thing.done', case when n % 10 = 0 then 'refused' else 'success' end, '192.0.2.1', 'r' || n, null, null
       from generate_series(0, $1::int - 1) as n where n % 4 = $2::int`,
      seededCount,
      turn,
    );
  await sql.query(
    `insert into identity.audit
       (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id, before, after)
     values (now(), 'user', $1, 'user', $2, 'odd.changed', 'success', '2001:db8:1111:2222:3333:4444:5555:6666', 'r', $3, $4)`,
    ada.user.id,
    hostile.slice(0, 250),
    JSON.stringify({ name: "Ada", role: "user" }),
    JSON.stringify({ name: hostile, role: "user" }),
  );
  // In two services, by one request. The clock of the server may be ahead of that of the browser.
  for (const schema of ["identity", "apikey"])
    await sql.query(
      `insert into ${schema}.audit
         (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
       values (now() + interval '5 seconds', 'user', $1, 'user', $2, 'person.acted', 'success', '198.51.100.7', 'one-request')`,
      ada.user.id,
      goneId,
    );
  await sql.close();
});

const rows = (page: Page) => page.getByRole("grid", { name: "entries" }).locator("tbody > tr");
const drawer = (page: Page) =>
  page.getByRole("dialog", { name: /^(odd\.changed|Entry|Export audit log)$/ });
const params = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

const openAudit = async (search = "", options?: Parameters<typeof openPage>[0]) => {
  const page = await openPage(options);
  const admin = await signInAsAdmin(page, system());
  await page.goto(url(`/audit${search}`));
  // A drawer opened by the address hides the heading from queries by role.
  const heading = { level: 1, name: "Audit log", includeHidden: true };
  await page.getByRole("heading", heading).waitFor();
  return { page, admin };
};

/** Returns the numbers of the seeded entries on the page. */
const numbersOn = async (page: Page): Promise<number[]> => {
  await rows(page).first().getByRole("link").first().waitFor();
  const texts = await rows(page).locator("td:nth-child(3) bdi").allInnerTexts();
  return texts.map(Number);
};

/** Reads all pages. Waits until each page has replaced the previous one. */
const numbersOfAll = async (page: Page, total: number): Promise<number[]> => {
  const all: number[] = [];
  while (all.length < total) {
    if (all.length > 0) await page.getByRole("button", { name: "Next" }).click();
    const last = all.at(-1) ?? -1;
    const count = Math.min(50, total - all.length);
    await expect
      .poll(async () => {
        const shown = await numbersOn(page);
        return shown.includes(last) ? 0 : shown.length;
      })
      .toBe(count);
    all.push(...(await numbersOn(page)));
  }
  expect(await page.getByRole("button", { name: "Next" }).isEnabled()).toBe(false);
  return all;
};

const textOf = async (download: Download) => readText(await download.createReadStream());

const exportAll = async (page: Page): Promise<Exported[]> => {
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    drawer(page).getByRole("button", { name: "Export" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d{2}-\d{2}\.jsonl$/);
  const text = await textOf(download);
  expect(text.endsWith("\n") || text === "").toBe(true);
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Exported);
};

describe("the audit log", () => {
  matrixTest("shows every entry of every service once, newest first, page by page", async () => {
    const { page } = await openAudit("?q=thing.");
    const all = await numbersOfAll(page, seededCount);
    expect(all).toHaveLength(seededCount);
    expect(new Set(all).size).toBe(seededCount);
    const moments = all.map((number) => Math.floor(number / 8));
    expect(moments).toEqual(moments.toSorted((one, other) => other - one));
    await page.getByRole("button", { name: "Previous" }).click();
    await expect.poll(() => numbersOn(page)).toEqual(all.slice(50, 100));
    await page.reload();
    await expect.poll(() => numbersOn(page)).toEqual(all.slice(50, 100));
    const search = page.getByRole("searchbox", {
      name: "Search by name, action, IP address or ID",
    });
    const first = rows(page).first();
    // By whom and about whom, then an action in words.
    await search.fill(ada.email);
    await first.getByText("Person acted (a former user)").waitFor();
    await rows(page).getByText("Ada signed up").waitFor();
    expect(await page.getByRole("status").filter({ hasText: "entries" }).innerText()).toMatch(
      /^\d+ entries$/,
    );
    await search.fill("email verif");
    await page.getByText("No results").waitFor();
    await search.fill("odd changed");
    await first.getByText("odd.changed").waitFor();
    await page.getByText("1 entry").waitFor();
    await search.fill("");
    await page.getByText(/^(about )?\d+ entries$/).waitFor();
    await lookWideAndNarrow(page, "audit");
  });

  test("filters by service, outcome, actor, subject, origin and time, all kept in its address", async () => {
    // Times are those of the viewer's zone, here an hour ahead of UTC.
    const { page } = await openAudit("?q=thing.", { timezoneId: "Europe/Berlin" });
    await rows(page).first().getByRole("link").first().waitFor();
    await page.getByRole("combobox", { name: "Service" }).click();
    await page.getByRole("option", { name: "apikey" }).click();
    await expect.poll(() => rows(page).count()).toBe(seededCount / 4);
    await page.getByRole("combobox", { name: "Outcome" }).click();
    await page.getByRole("option", { name: "Refused" }).click();
    await expect.poll(() => numbersOn(page)).toEqual([110, 90, 70, 50, 30, 10]);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("combobox", { name: "Actor" }).fill("seeder");
    await page.getByRole("option", { name: "ID seeder" }).click();
    await page.getByRole("combobox", { name: "Subject" }).fill("70");
    await page.getByRole("option", { name: "ID 70" }).click();
    await page.getByLabel("IP address", { exact: true }).fill(seededAddress);
    await page.getByLabel("Request ID").fill("r70");
    await page.getByLabel("From").fill("2026-01-01T01:00");
    await page.getByLabel("To", { exact: true }).fill("2026-01-01T01:00");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => numbersOn(page)).toEqual([70]);
    const filters = {
      q: "thing.",
      service: "apikey",
      outcome: "refused",
      actor: "seeder",
      subject: "70",
      address: seededAddress,
      request: "r70",
      from: "2026-01-01T00:00:00.000Z",
      to: "2026-01-01T00:00:59.999Z",
    };
    expect(params(page)).toEqual(filters);
    await rows(page).getByText("1 Jan 2026, 01:00").waitFor();
    await page.reload();
    await expect.poll(() => numbersOn(page)).toEqual([70]);
    await matrixStep(async () => {
      await page.getByRole("button", { name: "Filters (6)" }).click();
      await page.getByLabel("From").fill("2025-12-31T00:00");
      await page.getByLabel("To", { exact: true }).fill("2025-12-31T23:59");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByText("No results").waitFor();
      await expectAccessible(page);
    });
  });

  test("shows an entry's parties, seal and changes, with hostile values as text", async () => {
    const { page } = await openAudit("?q=odd.");
    await page.getByRole("link", { name: "odd.changed" }).click();
    const changes = drawer(page).getByRole("table", { name: "What changed" });
    const changed = changes.getByRole("row").nth(1);
    await changed.getByText('"Ada"').waitFor();
    expect(await changed.innerText()).toContain("<img src=x onerror=");
    expect(await changes.getByRole("row").nth(2).innerText()).toContain("role");
    await drawer(page).getByText("Chain position").waitFor();
    expect(
      await drawer(page).evaluate((element) => element.scrollWidth > element.clientWidth),
    ).toBe(false);
    await expectAccessible(page);
    await takePicture(page, "audit-hostile");
    await drawer(page).getByRole("button", { name: "Same actor" }).click();
    await drawer(page).waitFor({ state: "detached" });
    expect(params(page)).toEqual({ actor: ada.user.id });
  });

  matrixTest(
    "names users by name and email, with one look-up for a page, and shows ids of deleted ones",
    async () => {
      const lookUps: URL[] = [];
      const { page } = await openAudit("?q=nothing.is.called.so");
      await page.getByText("No results").waitFor();
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.searchParams.get("filterOperator") === "in") lookUps.push(url);
      });
      const search = page.getByRole("searchbox", {
        name: "Search by name, action, IP address or ID",
      });
      await search.fill("person.");
      const first = rows(page).first();
      await first.getByText("Deleted user").waitFor();
      await first.getByText(goneId).waitFor();
      await first.getByRole("link", { name: `Ada ${ada.email}` }).waitFor();
      await first.getByRole("button", { name: `Copy ID of ${ada.email}` }).waitFor();
      expect(await first.innerText()).not.toContain(ada.user.id);
      expect(lookUps.map((url) => url.searchParams.getAll("filterValue").toSorted())).toEqual([
        [ada.user.id, goneId].toSorted(),
      ]);
      // The entry is from the near future of this clock.
      const time = first.locator("time");
      expect(await time.innerText()).toMatch(/^\d{1,2} \w{3} \d{4}, \d\d:\d\d\s+now$/);
      await expectAccessible(page);
      await takePicture(page, "audit-people");
    },
  );

  matrixTest(
    "finds the entries of an IP address, and those with an id, by its search box",
    async () => {
      const viewport = { width: 1600, height: 900 };
      const { page } = await openAudit("?q=2001:DB8:1111:2222:3333:4444:5555:6666", { viewport });
      await rows(page).filter({ hasText: "odd.changed" }).waitFor();
      expect(await rows(page).count()).toBe(1);
      const cells = rows(page).getByRole("gridcell");
      for (const cell of [
        cells.filter({ hasText: "2001:db8:1111:2222:3333:4444:5555:6666" }),
        cells.filter({ has: page.locator("time") }),
      ]) {
        expect(await cell.count()).toBe(1);
        expect(await cutTextsOf(cell)).toEqual([]);
      }
      const search = page.getByRole("searchbox", {
        name: "Search by name, action, IP address or ID",
      });
      await search.fill(ada.user.id);
      // As the actor, and as the subject.
      await rows(page).filter({ hasText: "odd.changed" }).waitFor();
      await rows(page).filter({ hasText: "user.created" }).waitFor();
      await search.fill("203.0.113.99");
      await page.getByText("No results").waitFor();
    },
  );

  matrixTest("names organizations and API keys", async () => {
    const slug = `acme-${ada.user.id.toLowerCase()}`;
    for (const [path, body] of [
      ["/organization/create", { name: "Acme", slug }],
      ["/api-key/create", { name: "Build server" }],
    ] as const)
      expect((await ada.browser.post(path, body)).status).toBe(200);
    const { page } = await openAudit(`?actor=${ada.user.id}`);
    await page.getByRole("link", { name: "Acme", exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Copy ID of Acme" }).first().waitFor();
    await page.getByRole("link", { name: "Build server", exact: true }).click();
    await page.waitForURL(/\/admin\/api-keys\//);
  });

  matrixTest(
    "finds an actor by name, and shows all entries of a request by one click",
    async () => {
      const { page } = await openAudit("?q=person.");
      await rows(page).first().getByRole("link").first().waitFor();
      await page.getByRole("button", { name: "Filters" }).click();
      await page.getByRole("combobox", { name: "Actor" }).fill(ada.email);
      await page.getByRole("option", { name: `Ada (${ada.email})` }).click();
      await page.getByRole("button", { name: "Apply" }).click();
      await expect.poll(() => params(page)).toEqual({ q: "person.", actor: ada.user.id });
      await page.getByRole("link", { name: "person.acted" }).first().click();
      const opened = page.getByRole("dialog", { name: "person.acted" });
      await opened.getByText(ada.user.id).waitFor();
      await expectAccessible(page);
      await opened.getByRole("button", { name: "Same request" }).click();
      await opened.waitFor({ state: "detached" });
      expect(params(page)).toEqual({ request: "one-request" });
      await expect.poll(() => rows(page).count()).toBe(2);
      await page.getByRole("link", { name: "person.acted" }).first().click();
      await opened.getByRole("button", { name: "Same IP address" }).click();
      await expect.poll(() => params(page)).toEqual({ address: "198.51.100.7" });
    },
  );

  matrixTest("reports that the entry in the address is not on this page", async () => {
    const { page } = await openAudit("?q=thing.&entry=identity:999999999");
    await drawer(page).getByText("This entry is not on this page.").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await drawer(page).waitFor({ state: "detached" });
    expect(params(page)).toEqual({ q: "thing." });
  });

  matrixTest("links from an entry to the acting user", async () => {
    const { page } = await openAudit(`?actor=${ada.user.id}&q=odd.`);
    await page.getByRole("link", { name: "odd.changed" }).click();
    await drawer(page).getByRole("link", { name: ada.email }).first().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/users/${ada.user.id}`);
  });

  matrixTest(
    "exports the entries that match the filters as lines of JSON, in the same order",
    async () => {
      const { page } = await openAudit("?q=thing.&outcome=refused");
      await rows(page).first().getByRole("link").first().waitFor();
      const entries = await exportAll(page);
      await page.getByText(`Exported ${seededCount / 10} entries.`).waitFor();
      expect(entries).toHaveLength(seededCount / 10);
      expect(new Set(entries.map(({ service, id }) => `${service} ${id}`)).size).toBe(
        seededCount / 10,
      );
      const times = entries.map(({ occurredAt }) => occurredAt);
      expect(times).toEqual(times.toSorted().toReversed());
      await page.goto(url("/audit?q=nothing.is.called.so"));
      await page.getByText("No results").waitFor();
      expect(await exportAll(page)).toEqual([]);
    },
  );

  matrixTest("exports everything even if there are too many requests for a while", async () => {
    const { page } = await openAudit("?q=thing.");
    await rows(page).first().getByRole("link").first().waitFor();
    let refusals = 2;
    await page.route("**/audit/mailer?*", (route) =>
      refusals-- > 0
        ? route.fulfill({ status: 429, headers: { "retry-after": "0" }, body: "" })
        : route.continue(),
    );
    expect(await exportAll(page)).toHaveLength(seededCount);
    expect(refusals).toBeLessThan(0);
  });

  matrixTest("stops requesting entries when the export is closed", async () => {
    const { page } = await openAudit("?q=thing.");
    await rows(page).first().getByRole("link").first().waitFor();
    await page.route("**/audit/mailer?*", () => {});
    await page.getByRole("button", { name: "Export" }).click();
    const [request] = await Promise.all([
      page.waitForRequest("**/audit/mailer?*"),
      drawer(page).getByRole("button", { name: "Export" }).click(),
    ]);
    // Requests to other services may be aborted at the same time.
    const ended = page.waitForEvent("requestfailed", (one) => one.url() === request.url());
    await page.keyboard.press("Escape");
    await ended;
    await drawer(page).waitFor({ state: "detached" });
    expect(await page.getByText(/^Exported/).count()).toBe(0);
  });

  matrixTest("aborts the export and leaves when the user is no longer an admin", async () => {
    const { page, admin } = await openAudit("?q=thing.");
    await rows(page).first().getByRole("link").first().waitFor();
    await setRole(system(), (await signUp(system())).user.id, "admin"); // the last admin keeps the role
    await setRole(system(), admin.user.id, "user");
    await page.getByRole("button", { name: "Export" }).click();
    await drawer(page).getByRole("button", { name: "Export" }).click();
    await page.getByText("This account has no access to the admin web").waitFor();
  });

  matrixTest("reports why an export failed, and lets the user start it again", async () => {
    const { page } = await openAudit("?q=thing.");
    await rows(page).first().getByRole("link").first().waitFor();
    await page.route("**/audit/mailer?*", (route) => route.fulfill({ status: 500, body: "" }));
    await page.getByRole("button", { name: "Export" }).click();
    await drawer(page).getByRole("button", { name: "Export" }).click();
    await drawer(page).getByRole("alert").getByText("The request failed.").waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      drawer(page).getByRole("button", { name: "Export" }).click(),
    ]);
    const text = await textOf(download);
    expect(text.trim().split("\n")).toHaveLength(seededCount);
  });

  matrixTest("reports why it cannot be read, and loads it again", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.route("**/audit/organization?*", (route) =>
      route.fulfill({ status: 500, body: "" }),
    );
    await page.goto(url("/audit"));
    await page.getByRole("alert").getByText("The request failed.").waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await rows(page).first().getByRole("link").first().waitFor();
  });

  matrixTest("leaves out a service whose feature is switched off", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.route("**/audit/apikey?*", (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(url("/audit?q=thing."));
    await numbersOn(page);
    const offered = (seededCount * 3) / 4;
    expect(await numbersOfAll(page, offered)).toHaveLength(offered);
  });

  test("is hidden from an admin without the permission", async () => {
    const page = await openPage();
    await signInAs(page, system(), "support");
    await page.goto(url("/audit"));
    await page.getByRole("alert").getByText("Ask an admin who has this permission.").waitFor();
  });

  matrixTest("is accessible in both themes", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/audit"));
    await rows(page).first().getByRole("link").first().waitFor();
    await lookAt(page, "audit");
    await page.goto(url("/audit?q=odd."));
    await page.getByRole("link", { name: "odd.changed" }).click();
    await drawer(page).getByText("What changed").waitFor();
    await lookAt(page, "audit-entry");
  });
});
