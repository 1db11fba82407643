import type { Event } from "@latchkey/contracts";
import { appendAudit, once } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { addressMacs } from "../departed-users/address-macs.ts";
import { lockForMail, namesDeparted } from "../departed-users/queries.ts";
import type { Mail } from "../templates/mail.ts";
import { attemptDelivery, type AttemptDeliveryNeeds } from "./attempt-delivery.ts";
import { sealContent } from "./mail-content.ts";
import { insertDelivery } from "./queries.ts";

type Needs = AttemptDeliveryNeeds & Pick<Deps, "newId">;

/** A mail and its recipient's address. */
export interface AddressedMail extends Mail {
  to: string;
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

/** Stores the mail of an event once, even if the event is delivered repeatedly. Does not store a mail that names a deleted user. */
const keep = async (deps: Needs, event: Event, { to, ...mail }: AddressedMail): Promise<void> => {
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
      eventId: event.id,
      event: event.name,
      userId: userId ?? null,
      invitationId: invitationIdOf(event),
      recipient: to,
      subject: mail.subject,
      contentSealed: sealContent(deps.ring, mail),
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
};

/**
 * Sends the mail of an event. Repeated deliveries store one mail. One mail is sent, except after a crash between the SMTP
 * server's acceptance and its record.
 */
export const deliverMail = async (
  deps: Needs,
  event: Event,
  mail: AddressedMail,
): Promise<void> => {
  await keep(deps, event, mail);
  await attemptDelivery(deps, event.id);
};
