import { z } from "zod";
import type { ApplicationEventType } from "@latchkey/ui/api/application-events.ts";
import type { Webhook } from "./webhook.ts";

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text.trim());
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
};

/** The fields of a webhook. The server decides whether it may send to the URL. */
export const webhookForm = z
  .object({
    url: z
      .string()
      .max(2048, "Use at most 2,048 characters.")
      .refine(isWebAddress, "Enter a URL that begins with https://."),
    description: z.string().max(255, "Use at most 255 characters."),
    /** Whether the webhook receives every event, also those of later versions. */
    receives: z.enum(["all", "chosen"]),
    events: z.array(z.string()),
    contactEmail: z.union([z.literal(""), z.email("Enter an email such as name@example.com.")]),
  })
  .refine(({ receives, events }) => receives === "all" || events.length > 0, {
    path: ["events"],
    message: "Choose at least one event.",
  });

export type WebhookForm = z.output<typeof webhookForm>;

export const emptyWebhookForm: WebhookForm = {
  url: "",
  description: "",
  receives: "all",
  events: [],
  contactEmail: "",
};

/** Returns the form with the values of a webhook. */
export const formOfWebhook = (webhook: Webhook): WebhookForm => ({
  url: webhook.url,
  description: webhook.description,
  receives: webhook.events.length === 0 ? "all" : "chosen",
  events: webhook.events,
  contactEmail: webhook.contactEmail,
});

// The catalogue and the webhook are the only sources of the types in the form.
const eventsOf = ({ receives, events }: WebhookForm) =>
  receives === "all" ? [] : (events as ApplicationEventType[]);

/** Returns the request body of a new webhook. Omits empty fields, so that the defaults apply. */
export const webhookBody = (form: WebhookForm, organizationId: string | undefined) => ({
  url: form.url.trim(),
  events: eventsOf(form),
  ...(form.description.trim() && { description: form.description.trim() }),
  ...(form.contactEmail && { contactEmail: form.contactEmail }),
  ...(organizationId !== undefined && { organizationId }),
});

/** Returns only the changes of a valid form, so that nothing that happened meanwhile is reverted. */
export const changeOfWebhook = (form: WebhookForm, before: WebhookForm) => {
  const events = eventsOf(form);
  return {
    ...(form.url !== before.url && { url: form.url.trim() }),
    ...(form.description !== before.description && { description: form.description.trim() }),
    ...(events.join() !== eventsOf(before).join() && { events }),
    ...(form.contactEmail !== "" &&
      form.contactEmail !== before.contactEmail && { contactEmail: form.contactEmail }),
  };
};
