import type { Event } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { inBatches } from "@latchkey/service-kit/database";
import { once } from "@latchkey/service-kit/events";
import { addressMacs } from "../departed-users/forget-user.ts";
import { lockForMail, namesDeparted } from "../departed-users/queries.ts";
import type { Channel } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { Mail } from "../templates/mail.ts";
import { type MailContent, sealContent } from "./attempt-delivery.ts";
import { deleteSettledDeliveries, insertDelivery } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db" | "dispatch" | "newId" | "ring" | "tracing">;

/** A message and its recipient: an address, or a phone number. */
interface AddressedMail extends Omit<Mail, "subject">, Pick<MailContent, "expiresAt" | "purpose"> {
  channel?: Channel;
  to: string;
  subject: string;
}

/** A mail may be sent for this time after the expiry of its link or code, because the clocks of services may differ. */
const graceMilliseconds = 60_000;

/**
 * Returns the remaining lifetime of an event's link or code, or undefined if unknown. It is negative if the event waited longer
 * than that, for example while no mailer ran. The publisher's clock, which may differ from this one, sets both times, so the
 * lifetime is at most their difference. If the clock was set forward between the two, a link seems to have expired before it
 * existed. Its lifetime is unknown then.
 */
const lifetimeOf = ({ data, occurredAt }: Event, now: number): number | undefined => {
  if (!("expiresAt" in data) || data.expiresAt === undefined) return undefined;
  const expiresAt = Date.parse(data.expiresAt);
  const milliseconds = expiresAt - Date.parse(occurredAt);
  if (milliseconds <= 0) return undefined;
  return Math.min(milliseconds, expiresAt - now + graceMilliseconds);
};

/** Returns the user whom an event is about or who caused it. */
const userIdOf = ({ data }: Event): string | undefined => {
  if ("userId" in data) return data.userId;
  return "inviterId" in data ? data.inviterId : undefined;
};

const invitationIdOf = ({ data }: Event): string | null =>
  "invitationId" in data ? data.invitationId : null;

/**
 * Stores the mail or text message of an event once, even if the event is delivered repeatedly, and has it sent. Does not store a mail that names a deleted
 * user.
 */
export const storeMail = async (
  deps: Needs,
  event: Event,
  { channel = "mail", to, ...mail }: AddressedMail,
): Promise<void> => {
  const traceparent = deps.tracing?.traceparent();
  const userId = userIdOf(event);
  const named = {
    userId,
    addressMacs: addressMacs(deps.ring, to),
    occurredAt: new Date(event.occurredAt),
  };
  await once(deps.db, { eventId: event.id, consumer: "mailer", clock: deps.clock }, async (trx) => {
    await lockForMail(trx);
    if (await namesDeparted(trx, named)) return;
    const id = deps.newId();
    const now = deps.clock();
    const delivery = {
      id,
      channel,
      eventId: event.id,
      event: event.name,
      userId: userId ?? null,
      invitationId: invitationIdOf(event),
      recipient: to,
      subject: mail.subject,
      contentSealed: sealContent(deps.ring, { ...mail, traceparent }),
      state: "queued" as const,
      attempts: 0,
      createdAt: new Date(now),
    };
    await insertDelivery(trx, delivery, lifetimeOf(event, now));
    await appendAudit(trx, deps, {
      actor: { kind: "system" },
      subject: { kind: "delivery", id },
      action: "delivery.queued",
      after: { event: event.name },
    });
  });
  deps.dispatch.wake();
};

const keptMilliseconds = 30 * 86_400_000;
const batchSize = 1_000;

/** Deletes mails that were settled more than 30 days ago and returns their number. */
export const sweepDeliveries = (deps: Pick<Deps, "clock" | "db">): Promise<number> => {
  const before = new Date(deps.clock() - keptMilliseconds);
  return inBatches(batchSize, (limit) => deleteSettledDeliveries(deps.db, before, limit));
};
