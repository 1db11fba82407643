import { showEmail } from "@latchkey/contracts/email-address.ts";
import type { WebhookEndpoint } from "@latchkey/contracts";
import type { ApplicationEventType } from "../api/application-events.ts";

/** The values of the form of a webhook. */
export interface WebhookForm {
  url: string;
  description: string;
  /** Whether the webhook receives every event, also those of later versions. */
  receives: "all" | "chosen";
  events: string[];
  contactEmail: string;
}

export const emptyWebhookForm: WebhookForm = {
  url: "",
  description: "",
  receives: "all",
  events: [],
  contactEmail: "",
};

/** Whether a text looks like a URL to which webhooks are sent. The server decides whether it may send to it. */
export const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text.trim());
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
};

/** Returns the form with the values of a webhook. */
export const formOfWebhook = (
  webhook: Pick<WebhookEndpoint, "url" | "description" | "events" | "contactEmail">,
): WebhookForm => ({
  url: webhook.url,
  description: webhook.description,
  receives: webhook.events.length === 0 ? "all" : "chosen",
  events: webhook.events,
  contactEmail: showEmail(webhook.contactEmail),
});

// The catalogue and the webhook are the only sources of the types in the form.
const eventsOf = ({ receives, events }: WebhookForm) =>
  receives === "all" ? [] : (events as ApplicationEventType[]);

/** Returns the request body of a new webhook. Omits empty fields, so that the defaults apply. */
export const webhookBody = (form: WebhookForm) => {
  const description = form.description.trim();
  const contactEmail = form.contactEmail.trim();
  return {
    url: form.url.trim(),
    events: eventsOf(form),
    ...(description && { description }),
    ...(contactEmail && { contactEmail }),
  };
};

/** Returns only the changes of a valid form, so that nothing that happened meanwhile is reverted. */
export const changeOfWebhook = (form: WebhookForm, before: WebhookForm) => {
  const events = eventsOf(form);
  const contactEmail = form.contactEmail.trim();
  return {
    ...(form.url !== before.url && { url: form.url.trim() }),
    ...(form.description !== before.description && { description: form.description.trim() }),
    ...(events.join() !== eventsOf(before).join() && { events }),
    ...(contactEmail !== "" && contactEmail !== before.contactEmail && { contactEmail }),
  };
};
