import { mayActOnEverybody, statisticsDaysMax, WireError } from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import { readList } from "@latchkey/service-kit/lists";
import { everyDay, readDayRange } from "@latchkey/service-kit/statistics";
import type { DeliveryState } from "../db/tables.ts";
import { type MailContent, openContent } from "../deliveries/attempt-delivery.ts";
import type { Handler } from "../deps.ts";
import {
  deliveryList,
  findDelivery,
  findShownDelivery,
  listAttempts,
  listDays,
  listInvitationMails,
  updateFailed,
} from "./queries.ts";

/**
 * Returns a page of mails for admins, by default newest first. A search matches a part of the recipient's address. A term
 * without three consecutive letters or digits matches only the beginning. Throws `VALIDATION_ERROR` for an invalid limit,
 * offset or cursor.
 */
export const adminListDeliveries: Handler<"adminListDeliveries"> = async ({ db }, { query }) => {
  const { rows: deliveries, ...page } = await readList(db, deliveryList, query);
  return { reply: { deliveries, ...page } };
};

/**
 * Returns a mail without its content, and its attempts. The reasons contain neither link nor code, so reading them is not audited. Throws
 * `DELIVERY_NOT_FOUND`.
 */
export const adminListDeliveryAttempts: Handler<"adminListDeliveryAttempts"> = async (
  { db },
  { params: { id } },
) => {
  const [delivery, attempts] = await Promise.all([findShownDelivery(db, id), listAttempts(db, id)]);
  if (!delivery) throw new WireError("DELIVERY_NOT_FOUND");
  return { reply: { delivery, attempts } };
};

/** Returns the latest mail of each of these invitations, which shows whether the last one was delivered. */
export const adminListInvitationMails: Handler<"adminListInvitationMails"> = async (
  { db },
  { query: { invitationId } },
) => ({
  reply: { deliveries: await listInvitationMails(db, [invitationId].flat()) },
});

/**
 * Returns whether the content of a mail is withheld. A link or code in it may give access to the recipient's account: a caller
 * could request a password reset for a user and then set the password. So it is withheld from a caller who lacks any permission
 * that some user can have. Content that is deleted once its mail is settled is withheld from everybody, because its link or code
 * signs in. Only a captured mail, which exists outside production, shows it.
 */
const isContentWithheld = (
  { link, code, isDeletedOnceSettled = false }: MailContent,
  { state, mayReadLinks }: { state: DeliveryState; mayReadLinks: boolean },
): boolean => {
  if (isDeletedOnceSettled && state !== "captured") return true;
  return (link !== undefined || code !== undefined) && !mayReadLinks;
};

/** Returns a mail with its content, and records the reader in the audit log. Throws `DELIVERY_NOT_FOUND`. */
export const adminGetDelivery: Handler<"adminGetDelivery"> = async (
  deps,
  { params: { id }, caller, session },
) => {
  const delivery = await findDelivery(deps.db, id);
  if (!delivery) throw new WireError("DELIVERY_NOT_FOUND");
  const { contentSealed, ...row } = delivery;
  const content = openContent(deps.ring, contentSealed);
  const mayReadLinks = mayActOnEverybody(deps.config.admin, session.user);
  const isWithheld =
    contentSealed === "" ||
    (content !== undefined && isContentWithheld(content, { state: row.state, mayReadLinks }));
  await appendAudit(deps.db, deps, {
    actor: sessionActor(session),
    subject: { kind: "delivery", id },
    action: "delivery.read",
    outcome: isWithheld ? "refused" : "success",
    caller,
  });
  const { locale = null } = content ?? {};
  const { text = null, html: markup = null, link = null } = isWithheld ? {} : (content ?? {});
  const html = markup || null; // a text message has none
  return { reply: { ...row, text, html, link, locale, isWithheld } };
};

/**
 * Restores all attempts of a failed mail and starts the first one at once. Of concurrent calls, one succeeds. Throws
 * `DELIVERY_NOT_FOUND` and `DELIVERY_HAS_NOT_FAILED`.
 */
export const adminRetryDelivery: Handler<"adminRetryDelivery"> = async (
  deps,
  { params: { id }, caller, session },
) => {
  const retried = await deps.db.transaction().execute(async (trx) => {
    const row = await updateFailed(trx, id);
    if (!row) return undefined;
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "delivery", id },
      action: "delivery.retried",
      caller,
    });
    return row;
  });
  if (!retried) {
    const isThere = await findDelivery(deps.db, id);
    throw new WireError(isThere ? "DELIVERY_HAS_NOT_FAILED" : "DELIVERY_NOT_FOUND");
  }
  deps.dispatch.wake();
  return { reply: retried };
};

/**
 * Returns the number of sent, failed and captured mails by day. A mail that failed and was sent after a retry counts on both
 * days. Throws `VALIDATION_ERROR` for an invalid range or too many days.
 */
export const adminReadMailStatistics: Handler<"adminReadMailStatistics"> = async (
  deps,
  { query },
) => {
  const range = readDayRange(deps, query, statisticsDaysMax);
  const days = await listDays(deps.db, range);
  return { reply: { days: everyDay(range, days, { sent: 0, failed: 0, captured: 0 }) } };
};
