import type { Event } from "@latchkey/contracts";
import { seal, unseal } from "@latchkey/crypto";
import { appendAudit, once, UnretryableError } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { Mail } from "../templates/mail.ts";
import {
  claimDelivery,
  type ClaimedDelivery,
  findDeliveryState,
  insertDelivery,
  updateDelivery,
} from "./queries.ts";
import { isPermanentRefusal, type Transport } from "./transport.ts";

type Needs = Pick<Deps, "captureLog" | "clock" | "config" | "db" | "newId" | "ring" | "transport">;

const contentPurpose = "mail content";
const leaseMilliseconds = 120_000;
const errorLengthMax = 500;

/** Keeps the mail of an event, once however often the event comes. */
const keep = async (deps: Needs, event: Event, recipient: string, mail: Mail): Promise<void> => {
  const { subject, ...content } = mail;
  await once(deps.db, { eventId: event.id, consumer: "mailer", clock: deps.clock }, async (trx) => {
    const id = deps.newId();
    await insertDelivery(trx, {
      id,
      eventId: event.id,
      recipient,
      subject,
      contentSealed: seal(deps.ring, contentPurpose, JSON.stringify(content)),
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

const openContent = (deps: Needs, delivery: ClaimedDelivery): Mail => {
  const content = unseal(deps.ring, contentPurpose, delivery.contentSealed);
  if (content === undefined)
    throw new UnretryableError("the mail is sealed under a secret that is gone");
  return { subject: delivery.subject, ...(JSON.parse(content) as Omit<Mail, "subject">) };
};

/** Without an SMTP server the mail stays here, and its link goes to the log. */
const capture = async (deps: Needs, delivery: ClaimedDelivery, mail: Mail): Promise<void> => {
  deps.captureLog(`captured mail to ${delivery.recipient}, "${mail.subject}": ${mail.link}`);
  await updateDelivery(deps.db, delivery.id, {
    state: "captured",
    lastError: null,
    settledAt: new Date(deps.clock()),
  });
};

const fail = async (deps: Needs, delivery: ClaimedDelivery, error: unknown): Promise<never> => {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, errorLengthMax);
  const isFinal =
    error instanceof UnretryableError ||
    isPermanentRefusal(error) ||
    delivery.attempts >= deps.config.mail.attemptsMax;
  await updateDelivery(deps.db, delivery.id, {
    state: isFinal ? "failed" : "retrying",
    lastError: reason,
    settledAt: isFinal ? new Date(deps.clock()) : null,
  });
  throw isFinal ? new UnretryableError(reason) : error;
};

const send = async (deps: Needs, transport: Transport, delivery: ClaimedDelivery, mail: Mail) => {
  const { link: _, ...content } = mail;
  await transport.send({
    ...content,
    to: delivery.recipient,
    messageId: `<${delivery.id}@latchkey>`,
  });
  await updateDelivery(deps.db, delivery.id, {
    state: "sent",
    lastError: null,
    settledAt: new Date(deps.clock()),
  });
};

/** One try of a kept mail; rejects when it has to be tried again, and for good when it has failed. */
const attempt = async (deps: Needs, eventId: string): Promise<void> => {
  const now = deps.clock();
  const delivery = await claimDelivery(deps.db, {
    eventId,
    now: new Date(now),
    leaseUntil: new Date(now + leaseMilliseconds),
  });
  if (!delivery) {
    if ((await findDeliveryState(deps.db, eventId)) === "sending")
      throw new Error("another process is sending this mail");
    return;
  }
  try {
    const mail = openContent(deps, delivery);
    if (deps.transport) await send(deps, deps.transport, delivery, mail);
    else await capture(deps, delivery, mail);
  } catch (error) {
    await fail(deps, delivery, error);
  }
};

/**
 * Sends the mail of an event. However often the event is delivered, one mail is kept and, short of a crash between the
 * SMTP server's yes and our note of it, one is sent.
 */
export const deliverMail = async (
  deps: Needs,
  event: Event,
  recipient: string,
  mail: Mail,
): Promise<void> => {
  await keep(deps, event, recipient, mail);
  await attempt(deps, event.id);
};
