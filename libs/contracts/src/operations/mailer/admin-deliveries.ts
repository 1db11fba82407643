import { z } from "zod";
import { mailLocale } from "../../mail-locale.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { oneOrMore, pageQuery, pageTotals } from "../pages.ts";
import { dailyCounts, dayRange } from "../statistics.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "mailer",
  exposure: "public",
  rateClass: "general",
  feature: "admin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const may = <const Refusal extends string>(action: string, refusal: Refusal) =>
  ({ resource: "delivery", action, refusal }) as const;

const params = z.object({ id: plainText(255) });

/**
 * `queued`: not tried yet. `sending`: being tried. `retrying`: will be tried again. `sent`: the SMTP server accepted it.
 * `captured`: stored because there is no SMTP server. `failed`: given up.
 */
const state = z.enum(["queued", "sending", "retrying", "sent", "captured", "failed"]);

const delivery = z.object({
  id: z.string(),
  /** Mails go to the SMTP server, and text messages to the configured receiver. */
  channel: z.enum(["mail", "text"]),
  /** An address, or a phone number in E.164. */
  recipient: z.string(),
  subject: z.string(),
  /** The event that caused it, such as `password-reset.requested`. Null for mails of earlier versions. */
  event: z.string().nullable(),
  state,
  attempts: z.number(),
  /** Why the last attempt failed. Null after a success. */
  lastError: z.string().nullable(),
  createdAt: timestamp,
  /** When it was sent, captured or given up. */
  settledAt: timestamp.nullable(),
});
export type DeliveryEntry = z.output<typeof delivery>;

const attempt = z.object({
  /** Counts all attempts of the mail, also those before an admin's retry. */
  number: z.number(),
  startedAt: timestamp,
  /** Null, like the next one, while it lasts, and if its process ended before the outcome was recorded. */
  endedAt: timestamp.nullable(),
  /** `retrying`: it failed, and another one follows. `failed`: it failed, and none follows by itself. */
  outcome: state.extract(["sent", "captured", "retrying", "failed"]).nullable(),
  /** Why it failed. */
  reason: z.string().nullable(),
});

/** Operations of admins on the mails of all users. */
export const deliveryAdminOperations = operationGroup("Admin", {
  adminListDeliveries: operation({
    ...ofAdmin,
    name: "adminListDeliveries",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/deliveries",
    summary: "Searches and pages through the mails of the last 30 days, newest first.",
    permission: may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_MAILS"),
    query: z.object({
      ...pageQuery,
      /** Part of the recipient's address, case-insensitive. */
      recipient: plainText(320).optional(),
      /** The whole address of the recipient, case-insensitive. */
      recipientIs: plainText(320).optional(),
      state: state.optional(),
    }),
    reply: z.object({ deliveries: z.array(delivery), ...pageTotals }),
    errors: [],
    repeatable: true,
  }),
  adminGetDelivery: operation({
    ...ofAdmin,
    name: "adminGetDelivery",
    stepUp: stepUps.readsLink,
    method: "GET",
    path: "/admin/deliveries/{id}",
    summary:
      "Shows a mail with its text and link, and records the access in the audit log. The content of a mail with a link is withheld from callers who lack a permission that some role has.",
    permission: may("read", "YOU_ARE_NOT_ALLOWED_TO_READ_MAILS"),
    refusesApiKeys: true,
    params,
    reply: delivery.extend({
      /** Null, like the next two, if the mail is withheld or the secret that it was sealed with is no longer configured. */
      text: z.string().nullable(),
      html: z.string().nullable(),
      /** The link in the mail. Null if it has none. */
      link: z.string().nullable(),
      /** The language of the mail. Null if unknown, such as in mails of earlier versions or whose content is deleted. */
      locale: mailLocale.nullable(),
      /** Whether the content is withheld: its link may open an account with permissions that the caller lacks. */
      isWithheld: z.boolean(),
    }),
    errors: ["DELIVERY_NOT_FOUND"],
  }),
  adminListDeliveryAttempts: operation({
    ...ofAdmin,
    name: "adminListDeliveryAttempts",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/deliveries/{id}/attempts",
    summary: "Returns the state of a mail and its last 50 attempts, latest first.",
    permission: may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_MAILS"),
    params,
    reply: z.object({ delivery, attempts: z.array(attempt) }),
    errors: ["DELIVERY_NOT_FOUND"],
    repeatable: true,
  }),
  adminListInvitationMails: operation({
    ...ofAdmin,
    name: "adminListInvitationMails",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/invitation-mails",
    summary: "Returns the latest mail of each of these invitations.",
    permission: may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_MAILS"),
    query: z.object({ invitationId: oneOrMore }),
    reply: z.object({
      /** Without invitations that have no mail, or none of the last 30 days. */
      deliveries: z.array(delivery.extend({ invitationId: z.string() })),
    }),
    errors: [],
    repeatable: true,
  }),
  adminRetryDelivery: operation({
    ...ofAdmin,
    name: "adminRetryDelivery",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/deliveries/{id}/retry",
    summary: "Retries a mail whose attempts have all failed.",
    permission: may("retry", "YOU_ARE_NOT_ALLOWED_TO_RETRY_MAILS"),
    params,
    reply: delivery,
    errors: ["DELIVERY_NOT_FOUND", "DELIVERY_HAS_NOT_FAILED"],
  }),
  adminReadMailStatistics: operation({
    ...ofAdmin,
    name: "adminReadMailStatistics",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/statistics/mails",
    summary: "Counts the mails that were sent, given up and captured, by day.",
    permission: {
      resource: "statistics",
      action: "read",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_READ_STATISTICS",
    },
    query: z.object(dayRange),
    reply: dailyCounts("sent", "failed", "captured"),
    errors: [],
    repeatable: true,
  }),
});
