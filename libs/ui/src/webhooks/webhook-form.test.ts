import { describe, expect, test } from "vitest";
import {
  changeOfWebhook,
  emptyWebhookForm,
  formOfWebhook,
  webhookBody,
  type WebhookForm,
} from "./webhook-form.ts";

const url = "https://app.example.com/hooks";
const form = (own: Partial<WebhookForm>): WebhookForm => ({ ...emptyWebhookForm, url, ...own });

describe("the body of a new webhook", () => {
  test("leaves out what is empty, and sends no types for all events", () => {
    expect(webhookBody(form({ events: ["user.created"] }))).toEqual({ url, events: [] });
  });

  test("sends the entered values without surrounding blanks", () => {
    const entered = form({
      url: ` ${url} `,
      description: " CRM ",
      receives: "chosen",
      events: ["user.created"],
      contactEmail: "ada@example.com",
    });
    expect(webhookBody(entered)).toEqual({
      url,
      description: "CRM",
      events: ["user.created"],
      contactEmail: "ada@example.com",
    });
  });
});

describe("the change of a webhook", () => {
  const before = formOfWebhook({
    url,
    description: "CRM",
    events: ["user.created"],
    contactEmail: "ada@example.com",
  });

  test.each([
    [{}, {}],
    [{ description: "" }, { description: "" }],
    [{ receives: "all" }, { events: [] }],
    [{ events: ["user.created", "user.deleted"] }, { events: ["user.created", "user.deleted"] }],
    [{ url: "https://b.example.com", contactEmail: "" }, { url: "https://b.example.com" }],
    [{ contactEmail: "bob@example.com" }, { contactEmail: "bob@example.com" }],
  ] as const)("of %j has only what changed", (own, change) => {
    const edited = {
      ...before,
      ...own,
      events: [...("events" in own ? own.events : before.events)],
    };
    expect(changeOfWebhook(edited, before)).toEqual(change);
  });
});
