import { expectNoLeaks } from "@latchkey/testkit";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { matrixTest } from "../harness/matrix.ts";
import { createFailedMail, createFailedMessage, queueCounts } from "../harness/mails.ts";
import { openRows } from "../harness/rows.ts";
import { signUp, signUpAs, type TestUser } from "../harness/users.ts";
import { expectAccessible } from "./expect-accessible.ts";
import { lookAt, lookWideAndNarrow } from "./look-at.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { system, openPage, url } = webTests({
  config: {
    ...webConfig,
    admin: { roles: { ...webConfig.admin.roles, watcher: { queue: ["list"] } } },
  },
});

let operator: TestUser;
beforeAll(async () => {
  operator = await signUpAs(system(), "admin");
});

const fail = () => createFailedMessage(system(), operator);

const failedCount = async () => (await queueCounts(operator, "mailer"))?.failed;

const openQueues = async (search = "") => {
  const page = await openPage();
  await signInAsAdmin(page, system());
  await page.goto(url(`/queues${search}`));
  // A dialog opened by the address hides the table from queries by role.
  const table = { name: "queues", exact: true, includeHidden: true };
  await page.getByRole("table", table).waitFor();
  return page;
};

const messages = (page: Page) =>
  page.getByRole("grid", { name: "failed messages" }).locator("tbody > tr");

const openMessage = async (page: Page, id: string) => {
  await page.getByRole("row").filter({ hasText: id }).getByRole("link").click();
  await page.getByRole("dialog", { name: "Failed message" }).waitFor();
};

describe("queues", () => {
  matrixTest("report that nothing has failed", async () => {
    const page = await openQueues("?queue=organization");
    await page.getByText("No failed messages in organization").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "apikey" }).click();
    await page.getByText("No failed messages in apikey").waitFor();
    expect(new URL(page.url()).search).toBe("?queue=apikey");
  });

  test("show the first one with failed messages, with the reasons", async () => {
    const message = await fail();
    const page = await openQueues();
    await page.getByRole("heading", { name: "Failed messages of mailer" }).waitFor();
    const first = page.getByRole("table", { name: "queues", exact: true }).getByRole("row").nth(1);
    await first.getByRole("link", { name: "mailer" }).waitFor();
    await first.getByText("Failures").waitFor();
    await messages(page).first().getByText("encrypted with another secret").waitFor();
    await openMessage(page, message.id);
    await page
      .getByRole("region", { name: "Reason for the last failure" })
      .getByText("encrypted with another secret")
      .waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Failed message" }).waitFor({ state: "detached" });
  });

  matrixTest("list no failed mail, but lead to the failed mails", async () => {
    const mail = await createFailedMail(system(), operator, await signUp(system()));
    const page = await openQueues("?queue=mailer");
    await page.getByRole("link", { name: "in the list of emails" }).click();
    await page.waitForURL(url("/mail?state=failed"));
    await page.getByRole("row").filter({ hasText: mail.recipient }).waitFor();
  });

  matrixTest("report that the message in the address is not on this page", async () => {
    const page = await openQueues("?queue=organization&id=not-there");
    const dialog = page.getByRole("dialog", { name: "Failed message" });
    await dialog.getByText("This message is not on this page.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  matrixTest("retry a message, and record who requested it", async () => {
    const message = await fail();
    const page = await openPage();
    const admin = await signInAsAdmin(page, system());
    await page.goto(url("/queues?queue=mailer"));
    await openMessage(page, message.id);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Retrying.").waitFor();
    await page.getByRole("dialog", { name: "Failed message" }).waitFor({ state: "detached" });
    const sql = openRows(system());
    const noted = await sql.query(
      `select after from identity.audit where action = 'queue.retried' and actor_id = $1`,
      admin.user.id,
    );
    await sql.close();
    expect(noted).toEqual([{ after: { messageId: message.id } }]);
  });

  matrixTest("discard a message only after its consequences are confirmed", async () => {
    const message = await fail();
    const before = (await failedCount()) ?? 0;
    const page = await openQueues("?queue=mailer");
    await openMessage(page, message.id);
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    const question = page.getByRole("alertdialog", { name: "Discard password-reset.requested?" });
    await question.getByText("No service will ever process this message").waitFor();
    await expectAccessible(page);
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await failedCount()).toBe(before);
    await question.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await question.getByRole("button", { name: "Discard message" }).click();
    await page.getByText("Message discarded.").waitFor();
    await expect.poll(failedCount).toBe(before - 1);
    await expect.poll(() => page.getByText(message.id).count()).toBe(0);
  });

  matrixTest(
    "discard several at once, and report one that another admin has handled before",
    async () => {
      const [one, other] = [await fail(), await fail()];
      const page = await openQueues("?queue=mailer");
      for (const { id } of [one, other])
        await page.getByRole("checkbox", { name: new RegExp(`Select .* ${id}`) }).click();
      await operator.browser.post("/admin/queues/mailer/discard", { id: one.id });
      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
      await page.getByText("1 of 2 done, 1 failed").waitFor();
      await page
        .getByRole("list", { name: "What failed" })
        .getByText("The message is no longer failed.")
        .waitFor();
    },
  );

  matrixTest("are read-only for an admin who may only read them", async () => {
    const message = await fail();
    const page = await openPage();
    await signInAs(page, system(), "watcher");
    await page.goto(url("/queues?queue=mailer"));
    await openMessage(page, message.id);
    expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });

  matrixTest("show a hostile reason as text without breaking the layout", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    const reason = `<script>alert(1)</script> \u202E ${"x".repeat(10_000)}`;
    await page.route("**/admin/queues/mailer/failed?*", (route) =>
      route.fulfill({
        json: {
          messages: [
            {
              id: "m1",
              event: "verification.requested",
              failedAt: new Date().toISOString(),
              attempts: 8,
              reason,
            },
          ],
        },
      }),
    );
    await page.goto(url("/queues?queue=mailer&id=m1"));
    const dialog = page.getByRole("dialog", { name: "Failed message" });
    await dialog.getByText("<script>alert(1)</script>").waitFor();
    expect(await dialog.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(
      false,
    );
  });

  matrixTest("report one that stands still, and since when", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    const idle = { waiting: 0, active: 0, delayed: 0, failed: 0, handledLastMinute: 0 };
    const oldestWaitingAt = new Date(Date.now() - 5 * 60_000 - 10_000).toISOString();
    const waiting = { ...idle, waiting: 12, handledLastFiveMinutes: 0, oldestWaitingAt };
    await page.route(/auth\/admin\/queues$/, (route) =>
      route.fulfill({
        json: {
          queues: [
            { ...idle, name: "identity", handledLastMinute: 4, handledLastFiveMinutes: 12 },
            { ...waiting, name: "webhooks", active: 1 },
            { ...waiting, name: "mailer" },
          ],
        },
      }),
    );
    await page.goto(url("/queues"));
    const rows = page.getByRole("table", { name: "queues", exact: true }).locator("tbody tr");
    await rows.nth(0).getByText("Check that mailer is running.").waitFor();
    await rows.nth(1).getByText("Its next message has waited for 5 minutes.").waitFor();
    await rows.nth(2).getByRole("cell", { name: "2.4" }).waitFor();
    await lookWideAndNarrow(page, "queues-stopped");
  });

  matrixTest("report why they cannot be read, and load again", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    const queues = /auth\/admin\/queues$/;
    await page.route(queues, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(url("/queues"));
    await page.getByRole("alert").getByText("The request failed.").waitFor();
    await page.unroute(queues);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "queues", exact: true }).waitFor();
  });

  matrixTest("are accessible in both themes", async () => {
    await fail();
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/queues"));
    await messages(page).first().getByRole("link").waitFor();
    await lookAt(page, "queues");
  });
});
