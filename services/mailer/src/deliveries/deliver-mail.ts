import type { Event } from "@latchkey/contracts";
import { appendAudit, once } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { Mail } from "../templates/mail.ts";
import { attemptDelivery, type AttemptDeliveryNeeds } from "./attempt-delivery.ts";
import { sealContent } from "./mail-content.ts";
import { insertDelivery } from "./queries.ts";

type Needs = AttemptDeliveryNeeds & Pick<Deps, "newId">;

/** A mail and the address that it goes to. */
export interface AddressedMail extends Mail {
  to: string;
}

/** Keeps the mail of an event, once however often the event comes. */
const keep = async (deps: Needs, event: Event, { to, ...mail }: AddressedMail): Promise<void> => {
  await once(deps.db, { eventId: event.id, consumer: "mailer", clock: deps.clock }, async (trx) => {
    const id = deps.newId();
    await insertDelivery(trx, {
      id,
      eventId: event.id,
      event: event.name,
      recipient: to,
      subject: mail.subject,
      contentSealed: sealContent(deps.ring, mail),
      state: "queued",
      attempts: 0,
      createdAt: new Date(deps.clock()),
    });
    await appendAudit(trx, deps, {
      actor: { kind: "system" },
      subject: { kind: "delivery", id },
      action: "delivery.queued",
      after: { event: event.name },
    });
  });
};

/**
 * Sends the mail of an event. However often the event is delivered, one mail is kept and, short of a crash between the
 * SMTP server's yes and our note of it, one is sent.
 */
export const deliverMail = async (
  deps: Needs,
  event: Event,
  mail: AddressedMail,
): Promise<void> => {
  await keep(deps, event, mail);
  await attemptDelivery(deps, event.id);
};
