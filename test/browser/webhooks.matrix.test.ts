import { text } from "node:stream/consumers";
import { operations } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { matrixStep, matrixTest } from "../harness/matrix.ts";
import { Webhook } from "standardwebhooks";
import { callOperation, expectOk } from "../harness/operations.ts";
import { createOrganization } from "../harness/organizations.ts";
import { openRows } from "../harness/rows.ts";
import { signUpAs, type TestUser } from "../harness/users.ts";
import {
  accepted,
  startWebhookReceiver,
  type WebhookReceiver,
} from "../harness/webhook-receiver.ts";
import { hostileText } from "./hostile-text.ts";
import { lookAt, lookWideAndNarrow } from "./look-at.ts";
import { overflowOf } from "./overflow-of.ts";
import { takePicture } from "./take-picture.ts";
import { signInAs, signInAsAdmin, webConfig } from "./web-users.ts";
import { webTests } from "./web-tests.ts";

expectNoLeaks("file");
const { admin: adminOptions, ...others } = webConfig;
const { system, openPage, url } = webTests({
  config: {
    ...others,
    admin: { roles: { ...adminOptions.roles, watcher: { webhook: ["list"] } } },
  },
});

const { webhooks } = operations;

let operator: TestUser;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  operator = await signUpAs(system(), "admin");
});
afterAll(() => receiver.stop());
afterEach(() => {
  receiver.response = accepted;
  receiver.received.length = 0;
});

const createWebhook = (own: object = {}) =>
  expectOk(
    callOperation<{ id: string; secret: string }>(operator, webhooks.adminCreateWebhook, {
      body: { url: receiver.url, events: ["organization.deleted"], ...own },
    }),
  );

/** Gives all deliveries of a webhook up, which otherwise takes days. */
const failDeliveries = async (endpointId: string): Promise<void> => {
  const sql = openRows(system());
  await sql.query(
    "update webhooks.delivery set state = 'failed', last_error = 'timed out' where endpoint_id = $1",
    endpointId,
  );
  await sql.close();
};

const rows = (page: Page, name: string) => page.getByRole("grid", { name }).locator("tbody > tr");
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const button = (page: Page | Locator, name: string) =>
  page.getByRole("button", { name, exact: true });

const openAs = async (role: string, path: string) => {
  const page = await openPage();
  await signInAs(page, system(), role);
  await page.goto(url(path));
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
};

describe("the list of webhooks", () => {
  test("leads from an empty list to a new webhook, whose secret is shown once", async () => {
    const page = await openPage();
    await signInAsAdmin(page, system());
    await page.goto(url("/"));
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("No webhooks yet").waitFor();
    await button(page, "Create webhook").click();
    const form = dialog(page, "Create webhook");
    await form.getByLabel("URL").fill("app.example.com");
    await form.getByRole("combobox", { name: "Events to send" }).click();
    await page.getByRole("option", { name: "Chosen events" }).click();
    await form.getByRole("button", { name: "Create webhook" }).click();
    await form.getByText("Enter a URL that begins with https://.").waitFor();
    await form.getByText("Choose at least one event.").waitFor();
    await form.getByLabel("URL").fill("http://10.0.0.1/hooks");
    await form.getByRole("checkbox", { name: "Members" }).click();
    await form.getByRole("checkbox", { name: "user.created" }).click();
    await matrixStep(() => lookAt(page, "webhook-create"));
    await form.getByRole("button", { name: "Create webhook" }).click();
    await form.getByText("The URL of the webhook is not allowed.").waitFor();
    await form.getByLabel("URL").fill(receiver.url);
    await form.getByLabel("Description").fill("Customer records");
    await form.getByRole("button", { name: "Create webhook" }).click();
    const created = dialog(page, "Webhook created");
    expect(await created.getByLabel("Signing secret").inputValue()).toMatch(/^whsec_/);
    await page.keyboard.press("Escape");
    await created.getByText("You have not copied the secret.").waitFor();
    await matrixStep(() => lookAt(page, "webhook-secret"));
    await page.keyboard.press("Escape");
    const row = rows(page, "webhooks").filter({ hasText: "Customer records" });
    await row.getByText("user.created and 3 more").waitFor();
    await row.getByText("Active").waitFor();
    await lookAt(page, "webhooks");
    await matrixStep(async () => {
      await createWebhook({ description: "Newer and well" });
      receiver.response = { status: 500, body: "" };
      const failing = await createWebhook({ description: "Needs attention" });
      await createWebhook({ description: "Newest and well" });
      await expectOk(
        callOperation(operator, webhooks.adminTestWebhook, { params: { id: failing.id } }),
      );
      await expect
        .poll(async () => {
          await button(page, "Refresh").click();
          return rows(page, "webhooks").first().innerText();
        })
        .toMatch(/Needs attention[^]*Failing/);
      expect(await rows(page, "webhooks").nth(1).innerText()).toContain("Newest and well");
      await page.setViewportSize({ width: 400, height: 800 });
      expect(await overflowOf(page)).toBe(0);
      await takePicture(page, "webhooks-400");
    });
  });

  matrixTest("filters by state, and exports what matches", async () => {
    const { id } = await createWebhook({ description: "Paused one" });
    await expectOk(callOperation(operator, webhooks.adminPauseWebhook, { params: { id } }));
    const page = await openAs("admin", "/webhooks?state=paused");
    await rows(page, "webhooks").getByText("Paused one").waitFor();
    expect(await rows(page, "webhooks").count()).toBe(1);
    await page
      .getByRole("searchbox", { name: "Search by URL or description" })
      .fill("of no webhook");
    await page.getByText("No results").waitFor();
    await page.getByRole("searchbox", { name: "Search by URL or description" }).fill("PAUSED");
    await rows(page, "webhooks").getByText("Paused one").waitFor();
    await button(page, "Export").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog(page, "Export webhooks").getByRole("button", { name: "Export" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^webhooks-.*\.csv$/);
    const lines = (await text(await download.createReadStream())).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("Paused one");
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Disabled" }).click();
    await page.getByText("No results").waitFor();
  });

  matrixTest("offers nothing that an admin may not do", async () => {
    const { id } = await createWebhook();
    const page = await openAs("watcher", "/webhooks");
    await rows(page, "webhooks").first().waitFor();
    expect(await button(page, "Create webhook").count()).toBe(0);
    await page.goto(url(`/webhooks/${id}`));
    await page.getByRole("region", { name: "Delivered" }).waitFor();
    for (const name of ["Edit", "Rotate secret", "Pause", "Send test event", "Delete"])
      expect(await button(page, name).count()).toBe(0);
    await page.getByRole("tab", { name: "Deliveries" }).click();
    await page.getByText("No deliveries yet").waitFor();
    expect(await button(page, "Replay events").count()).toBe(0);
  });

  matrixTest("is refused without the permission", async () => {
    const page = await openAs("support", "/webhooks");
    await page.getByRole("alert").getByText("Ask an admin who has this permission.").waitFor();
  });
});

describe("one webhook", () => {
  matrixTest("is edited, paused, resumed, and its secret is rotated", async () => {
    const { id, secret } = await createWebhook({ description: "Before" });
    const page = await openAs("admin", `/webhooks/${id}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await button(page, "Edit").click();
    await dialog(page, "Edit webhook").getByLabel("Description").fill("After");
    await button(page, "Save").click();
    await page.getByText("Webhook saved.").waitFor();
    await page.getByText("After", { exact: true }).waitFor();
    await button(page, "Pause").click();
    await page.getByText("A user paused this webhook.").waitFor();
    await lookAt(page, "webhook-paused");
    await button(page, "Resume").click();
    await page.getByText("A user paused this webhook.").waitFor({ state: "detached" });
    await button(page, "Rotate secret").click();
    await dialog(page, "Rotate secret").getByRole("button", { name: "Rotate secret" }).click();
    const rotated = dialog(page, "New secret created");
    const next = await rotated.getByLabel("Signing secret").inputValue();
    expect(next).not.toBe(secret);
    await button(page, "Done").click();
    await rotated.getByText("You have not copied the secret.").waitFor();
    await button(page, "Done").click();
    await rotated.waitFor({ state: "detached" });
    await button(page, "Send test event").click();
    const drawer = dialog(page, "Delivery");
    await drawer.locator("dl").getByText("Delivered", { exact: true }).waitFor();
    await drawer.getByText("The response had no content.").waitFor();
    const request = receiver.received.findLast(({ body }) => body.includes("webhook.test"));
    for (const signingSecret of [secret, next])
      expect(() =>
        new Webhook(signingSecret).verify(request?.body ?? "", request?.headers ?? {}),
      ).not.toThrow();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Overview" }).click();
    await page.getByRole("img", { name: /^Delivered by day, 1 in the period/ }).waitFor();
    await lookAt(page, "webhook");
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    await takePicture(page, "webhook-400");
  });

  test("is deleted after its URL is typed", async () => {
    const { id } = await createWebhook({ url: `${receiver.url}/deleted` });
    const page = await openAs("admin", `/webhooks/${id}`);
    await page.getByRole("region", { name: "Delivered" }).waitFor();
    await lookAt(page, "webhook-fresh");
    await button(page, "Delete").click();
    const alert = page.getByRole("alertdialog");
    const confirm = alert.getByRole("button", { name: "Delete webhook" });
    expect(await confirm.isDisabled()).toBe(true);
    await alert.getByRole("textbox").fill(`${receiver.url}/deleted`);
    await confirm.click();
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
    await page.getByText("Webhook deleted.").waitFor();
    await page.goto(url(`/webhooks/${id}`));
    await page.getByText("It may have been deleted").waitFor();
  });

  matrixTest("says why it is disabled, and links its history to it", async () => {
    const { id } = await createWebhook();
    receiver.response = { status: 410, body: "" };
    await expectOk(callOperation(operator, webhooks.adminTestWebhook, { params: { id } }));
    const page = await openAs("admin", `/webhooks/${id}`);
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole("region", { name: "Delivered" }).waitFor();
        return page.getByText("The receiver answered 410 Gone").count();
      })
      .toBe(1);
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("link", { name: "webhook.disabled" }).waitFor();
    await page.getByRole("link", { name: receiver.url, exact: true }).first().click();
    await page.getByText("The receiver answered 410 Gone").waitFor();
  });
});

describe("events", () => {
  test("appear as they happen, with payload and deliveries, and are replayed to one webhook", async () => {
    const { id } = await createWebhook({
      url: `${receiver.url}/events`,
      description: "Receiver of replays",
      events: ["organization.updated"],
    });
    const organization = await createOrganization(operator);
    const page = await openAs("admin", `/events?organizationId=${organization.id}`);
    await rows(page, "events").getByRole("link", { name: "organization.created" }).waitFor();
    await button(page, `Events of ${organization.name}: show all organizations`).waitFor();
    const data = { name: "Blue Harbour" };
    await operator.browser.post("/organization/update", { organizationId: organization.id, data });
    await rows(page, "events").filter({ hasText: "1 delivered" }).first().waitFor();
    await matrixStep(() => lookWideAndNarrow(page, "events"));
    await page.getByRole("link", { name: "organization.updated" }).click();
    const drawer = dialog(page, "organization.updated");
    await drawer.getByRole("region", { name: "Payload" }).getByText("Blue Harbour").waitFor();
    const deliveries = drawer.getByRole("region", { name: "Deliveries" });
    await deliveries.getByRole("link", { name: "Receiver of replays" }).waitFor();
    await lookWideAndNarrow(page, "event");
    const sent = () => receiver.received.filter(({ path }) => path.endsWith("/events")).length;
    await button(drawer, "Replay to all").click();
    await page.getByText("Sending to 1 webhook.").waitFor();
    await expect.poll(sent).toBe(2);
    await deliveries.getByText("Replayed").waitFor();
    await matrixStep(async () => {
      await drawer.getByRole("combobox", { name: "Webhook" }).fill("of replays");
      await page.getByRole("option", { name: "Receiver of replays" }).click();
      await button(drawer.getByRole("region", { name: "Replay" }), "Replay").click();
      await expect.poll(sent).toBe(3);
      await deliveries.getByText("Replayed").nth(1).waitFor();
    });
    await deliveries.getByRole("link", { name: "Request and responses" }).first().click();
    await page.waitForURL((address) => address.pathname.endsWith(`/webhooks/${id}`));
    await dialog(page, "Delivery").getByText("Sent again on request.").waitFor();
  });
});

describe("deliveries", () => {
  matrixTest(
    "show each response as text, and are retried once the receiver works again",
    async () => {
      const hostileUrl = `${receiver.url}?q=${encodeURIComponent(hostileText)}'"><b>`;
      const { id } = await createWebhook({ url: hostileUrl, description: hostileText });
      receiver.response = { status: 500, body: hostileText };
      const page = await openAs("admin", `/webhooks/${id}`);
      await button(page, "Send test event").click();
      const drawer = dialog(page, "Delivery");
      const attempts = drawer.getByRole("region", { name: "Attempts" });
      await attempts.getByText("<script>alert(2)</script>").first().waitFor();
      await drawer.getByRole("region", { name: "Payload" }).getByText("webhook.test").waitFor();
      await drawer.getByRole("region", { name: "Headers" }).getByText("webhook-id").waitFor();
      await lookAt(page, "webhook-delivery");
      await page.setViewportSize({ width: 400, height: 800 });
      expect(await overflowOf(page)).toBe(0);
      expect(await drawer.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
      await takePicture(page, "webhook-delivery-400");
      await page.setViewportSize({ width: 1440, height: 900 });
      receiver.response = { status: 200, body: "thanks" };
      await attempts.getByText("thanks").waitFor();
      await drawer.locator("dl").getByText("Delivered", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await rows(page, "deliveries").getByText("Delivered").waitFor();
      await lookAt(page, "webhook-deliveries");
      await page.goto(url("/webhooks"));
      await rows(page, "webhooks").getByText("<img src=x").first().waitFor();
      expect(await overflowOf(page)).toBe(0);
    },
  );

  test("that failed are retried one by one and all at once, and events are replayed", async () => {
    const { id } = await createWebhook({
      url: `${receiver.url}/replayed`,
      events: ["organization.created"], // nothing else creates one meanwhile
    });
    receiver.response = { status: 500, body: "" };
    const { id: earlier } = await createOrganization(operator);
    await createOrganization(operator);
    const ofEarlier = () =>
      receiver.received.filter(
        ({ path, body }) => path.endsWith("/replayed") && body.includes(earlier),
      );
    await expect.poll(() => ofEarlier().length).toBeGreaterThan(0);
    receiver.response = { status: 204, body: "" };
    const page = await openAs("admin", `/webhooks/${id}?tab=deliveries&event=organization.created`);
    await rows(page, "deliveries").filter({ hasText: "Delivered" }).nth(1).waitFor();
    await failDeliveries(id);
    await page.goto(url(`/webhooks/${id}?tab=deliveries&state=failed`));
    receiver.received.length = 0;
    await rows(page, "deliveries").first().getByRole("link").first().click();
    await button(dialog(page, "Delivery"), "Retry").click();
    await dialog(page, "Delivery").locator("dl").getByText("Delivered", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    expect(await rows(page, "deliveries").count()).toBe(1);
    await button(page, "Retry failed").click();
    await dialog(page, "Retry failed").getByRole("button", { name: "Retry failed" }).click();
    await page.getByText("1 delivery queued.").waitFor();
    await expect.poll(() => ofEarlier().length).toBe(1);
    await matrixStep(async () => {
      const before = ofEarlier().length;
      await button(page, "Replay events").click();
      const form = dialog(page, "Replay events");
      const to = await form.getByLabel("To").inputValue();
      await form.getByLabel("To").fill("2020-01-01T00:00");
      await form.getByRole("button", { name: "Replay events" }).click();
      await form.getByText("The end must not be before the start.").waitFor();
      await lookAt(page, "webhook-replay");
      await form.getByLabel("To").fill(to);
      await form.getByRole("button", { name: "Replay events" }).click();
      await page.getByText(/^\d+ events? queued\.$/).waitFor();
      await expect.poll(() => ofEarlier().length).toBe(before + 1);
    });
    await page.goto(url(`/webhooks/${id}?tab=deliveries&state=failed`));
    await page.getByText("No results").waitFor();
  });
});
