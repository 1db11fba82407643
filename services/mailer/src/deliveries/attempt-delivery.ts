import { setTimeout as delay } from "node:timers/promises";
import { UnretryableError, withDeadline } from "@latchkey/service-kit";
import type { MailerConfig } from "../config.ts";
import type { SettledState } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { failureReason } from "./failure-reason.ts";
import { type MailContent, openContent } from "./mail-content.ts";
import {
  claimDelivery,
  type ClaimedDelivery,
  findDeliveryState,
  updateRetrying,
  updateSettled,
} from "./queries.ts";
import { isPermanentRefusal } from "./transport.ts";
import type { StartTry } from "./try-timer.ts";

export type AttemptDeliveryNeeds = Pick<
  Deps,
  "captureLog" | "clock" | "db" | "ring" | "startTry" | "transport"
> & { config: Pick<MailerConfig, "mail"> };

/** Longer than an attempt may take, so that no second process starts while the first may still succeed. */
const leaseSeconds = 120;
const sendMilliseconds = 60_000;
const settleMilliseconds = 110_000;
const settleRestMilliseconds = 1_000;

/**
 * A mail that this process has claimed. `content` is undefined if it is deleted or cannot be decrypted. `settleBy` is shortly
 * before the end of its lease, on the clock of `performance`.
 */
interface Try extends ClaimedDelivery {
  content: MailContent | undefined;
  settleBy: number;
  end: ReturnType<StartTry>;
}

/**
 * Records the outcome of an attempt. The last one deletes content whose link or code opens an account. Captured mails keep it,
 * because they are read in the admin web. Retries while the database is unavailable, because otherwise the mail would be sent
 * again.
 */
const settle = async (
  deps: AttemptDeliveryNeeds,
  delivery: Try,
  outcome: { state: SettledState | "retrying"; lastError: string | null },
): Promise<void> => {
  const { state, lastError } = outcome;
  const settledAt = new Date(deps.clock());
  const deletesContent = state !== "captured" && delivery.content?.isDeletedOnceSettled === true;
  for (;;)
    try {
      return state === "retrying"
        ? await updateRetrying(deps.db, delivery, lastError)
        : await updateSettled(deps.db, delivery, { state, lastError, settledAt, deletesContent });
    } catch (error) {
      if (performance.now() > delivery.settleBy) throw error;
      await delay(settleRestMilliseconds);
    }
};

/** This attempt has recorded the permanent failure of its mail. */
export class MailFailedError extends UnretryableError {}

const fail = async (deps: AttemptDeliveryNeeds, delivery: Try, error: unknown): Promise<never> => {
  const { attemptsMax, smtpUrl } = deps.config.mail;
  const { link, code } = delivery.content ?? {};
  const reason = failureReason(error, { link, code, smtpUrl });
  const isFinal =
    error instanceof UnretryableError || isPermanentRefusal(error) || delivery.tries >= attemptsMax;
  const state = isFinal ? "failed" : "retrying";
  delivery.end(state);
  await settle(deps, delivery, { state, lastError: reason });
  throw isFinal ? new MailFailedError(reason) : new Error(reason);
};

/** Returns the content of a mail, unless it can never be sent. */
const contentToSend = ({ content, contentSealed, isLate }: Try): MailContent => {
  if (contentSealed === "")
    throw new UnretryableError(
      "the content was deleted, because its code or link opens an account",
    );
  if (!content)
    throw new UnretryableError("the mail is encrypted with a secret that is no longer configured");
  if (!isLate) return content;
  const secret = content.code === undefined ? "link" : "code";
  throw new UnretryableError(`the ${secret} expired before the mail could be sent`);
};

/**
 * Sends a mail to the SMTP server. Without one, logs the mail with its link. A code is not logged, because a log shows it next to
 * its address. Fails permanently if the link or code has expired.
 */
const handOver = async (deps: AttemptDeliveryNeeds, delivery: Try): Promise<void> => {
  if (delivery.tries > deps.config.mail.attemptsMax)
    throw new UnretryableError("every attempt ended without an outcome, for example by a crash");
  const { link, text, html, locale } = contentToSend(delivery);
  const { recipient: to, subject, id } = delivery;
  if (!deps.transport)
    return deps.captureLog(`captured mail to ${to}, "${subject}"${link ? `: ${link}` : ""}`);
  const messageId = `<${id}@latchkey>`;
  return withDeadline(
    deps.transport.send({ text, html, subject, to, messageId, ...(locale ? { locale } : {}) }),
    sendMilliseconds,
    "sending",
  );
};

/** Throws if an unclaimed mail is being sent elsewhere or has failed. */
const refuseTry = async ({ db }: Pick<Deps, "db">, eventId: string): Promise<void> => {
  const state = await findDeliveryState(db, eventId);
  if (state === "sending") throw new Error("another process is sending this mail");
  if (state === "failed")
    throw new UnretryableError("the mail has failed; retry it in the list of mails");
};

/**
 * Attempts to send a stored mail. Rejects if it must be retried, with a `MailFailedError` if it fails permanently, and with
 * another `UnretryableError` if it has failed before.
 */
export const attemptDelivery = async (
  deps: AttemptDeliveryNeeds,
  eventId: string,
): Promise<void> => {
  const settleBy = performance.now() + settleMilliseconds;
  const claimed = await claimDelivery(deps.db, { eventId, leaseSeconds });
  if (!claimed) return refuseTry(deps, eventId);
  const content = openContent(deps.ring, claimed.contentSealed);
  const end = deps.startTry(claimed.event ?? "unknown");
  const delivery = { ...claimed, content, settleBy, end };
  try {
    await handOver(deps, delivery);
  } catch (error) {
    await fail(deps, delivery, error);
  }
  const state = deps.transport ? "sent" : "captured";
  delivery.end(state);
  await settle(deps, delivery, { state, lastError: null });
};
