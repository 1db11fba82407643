import { describe, expect, test } from "vitest";
import {
  changeOfWebhook,
  emptyWebhookForm,
  formOfWebhook,
  webhookBody,
  type WebhookForm,
  webhookForm,
} from "./webhook-form.ts";

const url = "https://app.example.com/hooks";
const form = (own: Partial<WebhookForm>): WebhookForm => ({ ...emptyWebhookForm, url, ...own });
const faultsOf = (own: Partial<WebhookForm>) =>
  webhookForm.safeParse(form(own)).error?.issues.map(({ path }) => path[0]) ?? [];

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

describe("the body of a new webhook", () => {
  test("leaves out what is empty, and sends no types for all events", () => {
    expect(faultsOf({})).toEqual([]);
    expect(webhookBody(form({ events: ["user.created"] }), undefined)).toEqual({ url, events: [] });
  });

  test("sends the entered values without surrounding blanks", () => {
    const entered = form({
      url: ` ${url} `,
      description: " CRM ",
      receives: "chosen",
      events: ["user.created"],
      contactEmail: "ada@example.com",
    });
    expect(webhookBody(entered, "o1")).toEqual({
      url,
      description: "CRM",
      events: ["user.created"],
      contactEmail: "ada@example.com",
      organizationId: "o1",
    });
  });
});

describe("the change of a webhook", () => {
  const before = formOfWebhook({
    id: "w1",
    url,
    description: "CRM",
    events: ["user.created"],
    organizationId: null,
    contactEmail: "ada@example.com",
    state: "active",
    stateReason: null,
    failingSince: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    formerSecretUntil: null,
    createdBy: "u1",
    createdAt: "2026-06-01T12:00:00.000Z",
    updatedAt: "2026-06-01T12:00:00.000Z",
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
