import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "@latchkey/contracts";
import { seal, unseal } from "@latchkey/crypto";
import { appendAudit, once, UnretryableError, withDeadline } from "@latchkey/service-kit";
import type { DeliveryState } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { Mail } from "../templates/mail.ts";
import {
  claimDelivery,
  type ClaimedDelivery,
  findDeliveryState,
  insertDelivery,
  updateDelivery,
} from "./queries.ts";
import { isPermanentRefusal } from "./transport.ts";

type Needs = Pick<Deps, "captureLog" | "clock" | "config" | "db" | "newId" | "ring" | "transport">;

/** A mail and the address that it goes to. */
export interface AddressedMail extends Mail {
  to: string;
}

const contentPurpose = "mail content";
/** Longer than a try may take, so that no second process begins while the first may still succeed. */
const leaseMilliseconds = 120_000;
const sendMilliseconds = 60_000;
const settleMilliseconds = 110_000;
const settleRestMilliseconds = 1_000;
const errorLengthMax = 500;

/** Keeps the mail of an event, once however often the event comes. */
const keep = async (deps: Needs, event: Event, { to, ...mail }: AddressedMail): Promise<void> => {
  const { subject, ...content } = mail;
  await once(deps.db, { eventId: event.id, consumer: "mailer", clock: deps.clock }, async (trx) => {
    const id = deps.newId();
    await insertDelivery(trx, {
      id,
      eventId: event.id,
      recipient: to,
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

/** A mail that this process has claimed; `settleBy` is when its lease is nearly over, on the clock of `performance`. */
interface Try extends ClaimedDelivery {
  settleBy: number;
}

/** Writes how a try ended; a store that is away for a moment is no reason to send a mail again. */
const settle = async (
  deps: Needs,
  delivery: Try,
  outcome: { state: DeliveryState; lastError: string | null },
): Promise<void> => {
  const isSettled = outcome.state !== "retrying";
  const change = { ...outcome, settledAt: isSettled ? new Date(deps.clock()) : null };
  for (;;)
    try {
      return await updateDelivery(deps.db, delivery, change);
    } catch (error) {
      if (performance.now() > delivery.settleBy) throw error;
      await delay(settleRestMilliseconds);
    }
};

const fail = async (deps: Needs, delivery: Try, error: unknown): Promise<never> => {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, errorLengthMax);
  const isFinal =
    error instanceof UnretryableError ||
    isPermanentRefusal(error) ||
    delivery.attempts >= deps.config.mail.attemptsMax;
  await settle(deps, delivery, { state: isFinal ? "failed" : "retrying", lastError: reason });
  throw isFinal ? new UnretryableError(reason) : error;
};

/** Hands a mail to the SMTP server; without one the log tells of it and its link, and the mail stays in its row. */
const handOver = async (deps: Needs, delivery: ClaimedDelivery): Promise<void> => {
  if (delivery.attempts > deps.config.mail.attemptsMax)
    throw new UnretryableError("every try ended without a word, as by a crash");
  const { link, ...content } = openContent(deps, delivery);
  const { recipient: to, id } = delivery;
  if (!deps.transport)
    return deps.captureLog(
      `captured mail to ${to}, "${content.subject}"${link ? `: ${link}` : ""}`,
    );
  const messageId = `<${id}@latchkey>`;
  return withDeadline(
    deps.transport.send({ ...content, to, messageId }),
    sendMilliseconds,
    "sending",
  );
};

/** One try of a kept mail; rejects when it has to be tried again, and for good when it has failed. */
const attempt = async (deps: Needs, eventId: string): Promise<void> => {
  const now = deps.clock();
  const settleBy = performance.now() + settleMilliseconds;
  const claimed = await claimDelivery(deps.db, {
    eventId,
    now: new Date(now),
    leaseUntil: new Date(now + leaseMilliseconds),
  });
  if (!claimed) {
    if ((await findDeliveryState(deps.db, eventId)) === "sending")
      throw new Error("another process is sending this mail");
    return;
  }
  const delivery = { ...claimed, settleBy };
  try {
    await handOver(deps, delivery);
  } catch (error) {
    await fail(deps, delivery, error);
  }
  await settle(deps, delivery, { state: deps.transport ? "sent" : "captured", lastError: null });
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
  await attempt(deps, event.id);
};
