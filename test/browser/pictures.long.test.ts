import { join } from "node:path";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openRows } from "../harness/rows.ts";
import { callAdminInternal, password, setRole } from "../harness/users.ts";
import { webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

// The pictures of the documents. `npm run docs:pictures` writes them.

expectNoLeaks("file");

const isWritten = process.env["WRITE_PICTURES"] !== undefined;
const folder = join(import.meta.dirname, "..", "..", "docs", "pictures");
const provider = { clientId: "id", clientSecret: "secret" };
const { system, openPage, url, accountUrl } = webTests({
  config: {
    ...webConfig,
    appName: "Example",
    magicLink: { enabled: true },
    socialProviders: { google: provider, github: provider, microsoft: provider },
  },
});

const names = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Hedy", "Tim", "Radia"];
const addressOf = (index: number) => `${names[index]?.toLowerCase()}@example.com`;

/** Creates users, and counts of the last 30 days that grow slowly, with fewer on weekends. */
beforeAll(async () => {
  for (const [index, name] of names.entries()) {
    const created = await callAdminInternal(system(), "/create-user", {
      email: addressOf(index),
      password,
      name,
    });
    expect(created.status).toBe(200);
    if (index > 0) continue;
    await setRole(system(), (created.body as { user: { id: string } }).user.id, "admin");
  }
  const rows = openRows(system());
  await rows.query(`
    with given as (
      select day::date, 60 - age as growth, extract(isodow from day) > 5 as weekend
      from generate_series(0, 59) as age, lateral (select current_date - age::int) as at (day)
    )
    insert into identity.daily_count (day, sign_ups, sign_ins, sign_ins_failed, active_users)
    select day, (4 + growth / 8) / factor, (60 + growth * 3) / factor, 3 + growth % 5, (40 + growth * 2) / factor
    from given, lateral (select case when weekend then 2 else 1 end as factor) as divided
    on conflict (day) do update set sign_ups = excluded.sign_ups, sign_ins = excluded.sign_ins,
      sign_ins_failed = excluded.sign_ins_failed, active_users = excluded.active_users`);
  await rows.close();
});

const open = async (): Promise<Page> => openPage({ viewport: { width: 1280, height: 900 } });

/** Compares nothing: a picture is looked at. The test proves that the screen can be shown. */
const picture = async (page: Page, name: string): Promise<void> => {
  await page.waitForLoadState("networkidle");
  if (!isWritten) return;
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
};

test("the sign-in page", async () => {
  const page = await open();
  await page.goto(accountUrl("/sign-in"));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await picture(page, "account-web");
});

test("the first page of the admin web", async () => {
  const page = await open();
  const answer = await page.request.post(`${system().url}/sign-in/email`, {
    headers: { origin: system().origin },
    data: { email: addressOf(0), password },
  });
  expect(answer.status()).toBe(200);
  await page.goto(url("/"));
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.getByRole("tabpanel").getByRole("img").first().waitFor();
  await picture(page, "admin-web");
});
