import { expectNoLeaks } from "@latchkey/testkit";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { matrixStep } from "../harness/matrix.ts";
import { addMember, createOrganization, organizationConfig } from "../harness/organizations.ts";
import { openRows } from "../harness/rows.ts";
import { signUp } from "../harness/users.ts";
import {
  accepted,
  startWebhookReceiver,
  type WebhookReceiver,
} from "../harness/webhook-receiver.ts";
import { hostileText } from "./hostile-text.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { webTests } from "./web-tests.ts";
import { signIn } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({
  config: organizationConfig({}, { webhooks: { organizations: { enabled: true } } }),
});

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

/** Gives all deliveries up, which otherwise takes days. */
const failDeliveries = async (): Promise<void> => {
  const sql = openRows(system());
  await sql.query("update webhooks.delivery set state = 'failed', last_error = 'timed out'");
  await sql.close();
};

test("an owner creates, tests, edits, pauses and deletes a webhook of an organization", async () => {
  const [owner, member] = [await signUp(system()), await signUp(system())];
  const { id } = await createOrganization(owner, { name: "Analytical Engines" });
  await addMember(system(), member, { organizationId: id });
  const page = await openPage();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = (name: string) => page.getByRole("dialog", { name });
  const inDialog = (name: string, action: string) =>
    dialog(name).getByRole("button", { name: action, exact: true });
  await signIn(page, system(), owner);
  await page.goto(accountUrl(`/organizations/${id}?tab=webhooks`));
  await page.getByText("No webhooks").waitFor();
  await button("Create webhook").click();
  const form = dialog("Create webhook");
  await form.getByLabel("Events to send").selectOption({ label: "Chosen events" });
  await inDialog("Create webhook", "Create webhook").click();
  await form.getByText("Enter a URL that begins with https://.").waitFor();
  await form.getByText("Choose at least one event.").waitFor();
  expect(await form.getByText("user.created").count()).toBe(0);
  await form.getByRole("checkbox", { name: "Members" }).click();
  await form.getByLabel("URL").fill("http://10.0.0.1/hooks");
  await matrixStep(() => lookWideAndNarrow(page, "account-webhook-create"));
  await inDialog("Create webhook", "Create webhook").click();
  await form.getByText("This URL cannot be used.").waitFor();
  await form.getByLabel("URL").fill(receiver.url);
  await form.getByLabel("Description").fill("Customer records");
  await inDialog("Create webhook", "Create webhook").click();
  const secret = await dialog("Webhook created").getByLabel("Signing secret").inputValue();
  expect(secret).toMatch(/^whsec_/);
  await page.keyboard.press("Escape");
  await dialog("Webhook created").getByText("You have not copied it.").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-webhook-secret"));
  await page.keyboard.press("Escape");
  const row = page.getByRole("listitem").filter({ hasText: "Customer records" });
  await row.getByText("Nothing was sent yet").waitFor();

  await page.getByRole("link", { name: `Manage ${receiver.url}` }).click();
  await page.getByRole("heading", { level: 1, name: receiver.url }).waitFor();
  receiver.response = { status: 500, body: hostileText };
  await button("Send test event").click();
  await button("Details of webhook.test").click();
  const delivery = dialog("Delivery");
  await delivery.getByText("<script>alert(2)</script>").first().waitFor();
  await delivery.getByRole("region", { name: "Payload" }).getByText("webhook.test").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-webhook-delivery"));
  await failDeliveries();
  receiver.response = accepted;
  await button("Retry").click();
  await delivery.getByText("Delivered").waitFor();
  const request = receiver.received.at(-1);
  expect(() =>
    new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {}),
  ).not.toThrow();
  await page.keyboard.press("Escape");

  await button("Edit").click();
  await dialog("Edit webhook").getByLabel("Description").fill("Members of the CRM");
  await inDialog("Edit webhook", "Save").click();
  await page.getByText("Members of the CRM").waitFor();
  await button("Rotate secret").click();
  await inDialog("Rotate secret", "Rotate secret").click();
  const rotated = dialog("New secret created");
  expect(await rotated.getByLabel("Signing secret").inputValue()).not.toBe(secret);
  await page.context().grantPermissions(["clipboard-write"]);
  await rotated.getByRole("button", { name: "Copy" }).click();
  await rotated.getByText("Copied").waitFor();
  await rotated.getByRole("button", { name: "Done" }).click();
  await page.getByText("Old secret signs until").waitFor();
  await button("Pause").click();
  await page.getByText("This webhook is paused.").waitFor();
  await lookWideAndNarrow(page, "account-webhook");
  await button("Resume").click();
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Back to the organization" }).click();
  await page.getByText("Last success").waitFor();
  await matrixStep(() => lookWideAndNarrow(page, "account-webhooks"));
  await page.getByRole("link", { name: `Manage ${receiver.url}` }).click();
  await button("Delete").click();
  await inDialog("Delete this webhook?", "Delete webhook").click();
  await page.getByText("No webhooks").waitFor();

  await signIn(page, system(), member);
  await page.goto(accountUrl(`/organizations/${id}`));
  await page.getByRole("tab", { name: "Settings" }).waitFor();
  await page.getByText(member.email).first().waitFor();
  expect(await page.getByRole("tab", { name: "Webhooks" }).count()).toBe(0);
});
