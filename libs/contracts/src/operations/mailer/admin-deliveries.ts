import { z } from "zod";
import { operation } from "../../operation.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { pageQuery, pageTotals } from "../pages.ts";
import { dailyCounts, dayRange } from "../statistics.ts";

const ofAdmin = {
  owner: "mailer",
  exposure: "public",
  feature: "admin",
  access: "permission",
} as const;

const may = <const Refusal extends string>(action: string, refusal: Refusal) =>
  ({ resource: "delivery", action, refusal }) as const;

const params = z.object({ id: plainText(255) });

/**
 * `queued`: not tried yet. `sending`: it is being tried. `retrying`: it will be tried again. `sent`: the SMTP server took it.
 * `captured`: kept because there is no SMTP server. `failed`: given up.
 */
const state = z.enum(["queued", "sending", "retrying", "sent", "captured", "failed"]);

const delivery = z.object({
  id: z.string(),
  recipient: z.string(),
  subject: z.string(),
  /** What asked for it, such as `password-reset.requested`; null where an earlier version kept it. */
  event: z.string().nullable(),
  state,
  /** Tries so far. */
  attempts: z.number(),
  /** Why the last try failed; null once it has succeeded. */
  lastError: z.string().nullable(),
  createdAt: timestamp,
  /** When it was sent, captured or given up. */
  settledAt: timestamp.nullable(),
});
export type DeliveryEntry = z.output<typeof delivery>;

/** What admins see of the mails of everybody, and do with them. */
export const deliveryAdminOperations = {
  adminListDeliveries: operation({
    ...ofAdmin,
    name: "adminListDeliveries",
    method: "GET",
    path: "/admin/deliveries",
    summary: "Searches and pages through the mails of the last 30 days, the last one first.",
    permission: may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_MAILS"),
    query: z.object({
      ...pageQuery,
      /** Part of the address that it goes to, in any case. */
      recipient: plainText(320).optional(),
      /** That whole address, in any case. */
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
    method: "GET",
    path: "/admin/deliveries/{id}",
    summary:
      "Shows a mail with its text and the link in it, which is noted in the audit. One around a link is opened for admins only.",
    permission: may("read", "YOU_ARE_NOT_ALLOWED_TO_READ_MAILS"),
    refusesImpersonators: true,
    refusesApiKeys: true,
    params,
    reply: delivery.extend({
      /** Null, like the other two, where the mail is withheld, and where the secret that it was sealed under is gone. */
      text: z.string().nullable(),
      html: z.string().nullable(),
      /** What the mail is about; null where it is about none. */
      link: z.string().nullable(),
      /** Whether what it says is kept from the caller: its link may open an account, an admin's too, and they are no admin. */
      isWithheld: z.boolean(),
    }),
    errors: ["DELIVERY_NOT_FOUND"],
  }),
  adminRetryDelivery: operation({
    ...ofAdmin,
    name: "adminRetryDelivery",
    method: "POST",
    path: "/admin/deliveries/{id}/retry",
    summary: "Gives a mail that has failed all its tries again.",
    permission: may("retry", "YOU_ARE_NOT_ALLOWED_TO_RETRY_MAILS"),
    params,
    reply: delivery,
    errors: ["DELIVERY_NOT_FOUND", "DELIVERY_HAS_NOT_FAILED"],
  }),
  adminReadMailStatistics: operation({
    ...ofAdmin,
    name: "adminReadMailStatistics",
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
} as const;
