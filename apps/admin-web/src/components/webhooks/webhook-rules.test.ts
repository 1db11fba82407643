import { emptyWebhookForm, type WebhookForm } from "@latchkey/ui/webhooks/webhook-form.ts";
import { expect, test } from "vitest";
import { webhookRules } from "./webhook-rules.ts";

const url = "https://app.example.com/hooks";
const form = (own: Partial<WebhookForm>): WebhookForm => ({ ...emptyWebhookForm, url, ...own });
const faultsOf = (own: Partial<WebhookForm>) =>
  webhookRules.safeParse(form(own)).error?.issues.map(({ path }) => path[0]) ?? [];

test.each([
  [{ url: "" }, "url"],
  [{ url: "app.example.com" }, "url"],
  [{ url: "javascript:alert(1)" }, "url"],
  [{ url: `${url}/${"x".repeat(2048)}` }, "url"],
  [{ description: "x".repeat(256) }, "description"],
  [{ receives: "chosen" }, "events"],
  [{ contactEmail: "ada" }, "contactEmail"],
] as const)("rejects %j at %s", (own, field) => {
  expect(faultsOf(own)).toEqual([field]);
});

test.each(["", "a&b@example.com", "ada@müller.example"])(
  "accepts %j as a contact",
  (contactEmail) => {
    expect(faultsOf({ contactEmail })).toEqual([]);
  },
);

test("accepts a URL alone", () => {
  expect(faultsOf({})).toEqual([]);
});
