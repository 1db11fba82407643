import { domainToASCII } from "node:url";
import { seal, type SecretRing, unseal } from "@latchkey/crypto";
import type { Background } from "@latchkey/service-kit/background";
import { withDeadline } from "@latchkey/service-kit/bounds";
import { retryDelay, UnretryableError } from "@latchkey/service-kit/bus";
import { startDeliveries } from "@latchkey/service-kit/deliver";
import type { MailerConfig } from "../config.ts";
import type { Channel } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { Mail } from "../templates/mail.ts";
import { failureReason } from "./failure-reason.ts";
import {
  claimDeliveries,
  type ClaimedDelivery,
  type MailOutcome,
  settleAttempt,
} from "./queries.ts";
import { textSeconds, textsMax } from "./text-sender.ts";
import { connectionCount, isPermanentRefusal } from "./transport.ts";

/** The names of the channels in log messages and reasons. */
const kinds = { mail: "mail", text: "text message" } as const;

const purpose = "mail content";

/** The content of a mail other than its subject. */
export interface MailContent extends Omit<Mail, "subject"> {
  /** The purpose of the code in a text message. */
  purpose?: string;
  /** When the code in a text message expires. */
  expiresAt?: string;
  /** The span of the event that requested the mail. */
  traceparent?: string | undefined;
}

/** Encrypts the content of a mail for its row. */
export const sealContent = (
  ring: SecretRing,
  { subject: _, ...content }: MailContent & Pick<Mail, "subject">,
): string => seal(ring, purpose, JSON.stringify(content));

/** Decrypts the content of a mail, or returns undefined if it is deleted or its secret is no longer configured. */
export const openContent = (ring: SecretRing, contentSealed: string): MailContent | undefined => {
  const content = unseal(ring, purpose, contentSealed);
  return content === undefined ? undefined : (JSON.parse(content) as MailContent);
};

export type AttemptNeeds = Pick<
  Deps,
  "captureLog" | "clock" | "logger" | "ring" | "texts" | "transport"
> & {
  config: Pick<MailerConfig, "mail">;
};

const attemptSeconds = 60;
/** Attempts of one process at a time, of which mails that failed before get half. */
const concurrencies = { mail: connectionCount, text: textsMax } as const;
/** A code in a text message is good for minutes. */
const backoffs = {
  mail: { baseMilliseconds: 1_000, maxMilliseconds: 900_000 },
  text: { baseMilliseconds: 1_000, maxMilliseconds: 30_000 },
} as const;

/** A mail that this process has claimed. `content` is undefined if it is deleted or cannot be decrypted. */
interface Try extends ClaimedDelivery {
  content: MailContent | undefined;
}

/** Returns the content of a mail, unless it can never be sent. */
const contentToSend = ({ channel, content, contentSealed, isLate }: Try): MailContent => {
  if (contentSealed === "")
    throw new UnretryableError(
      "the content was deleted, because its code or link opens an account",
    );
  if (!content)
    throw new UnretryableError(
      `the ${kinds[channel]} is encrypted with a secret that is no longer configured`,
    );
  if (!isLate) return content;
  const secret = content.code === undefined ? "link" : "code";
  throw new UnretryableError(`the ${secret} expired before the ${kinds[channel]} could be sent`);
};

/** Returns the domain of the sender's address. Filters take a Message-ID of another domain for a sign of spam. */
const senderDomain = (from: string): string =>
  domainToASCII(/@([^\s@<>"]+)>?\s*$/.exec(from)?.[1] ?? "") || "latchkey.invalid";

/** Runs a sending, whose connection closes after a time. */
const withinSeconds = (seconds: number, send: (signal: AbortSignal) => Promise<void>) => {
  const ending = new AbortController();
  const sent = send(ending.signal);
  return withDeadline(sent, seconds * 1_000, "sending").finally(() => ending.abort());
};

const shownDigits = 4;

/**
 * Returns a phone number for logs: the beginning and the last digits, such as `+49******4567`. It tells operators numbers apart, and nobody
 * can call it.
 */
const maskPhoneNumber = (phoneNumber: string): string => {
  const shownStart = phoneNumber.slice(0, 3);
  const end = phoneNumber.slice(Math.max(3, phoneNumber.length - shownDigits));
  return shownStart + "*".repeat(Math.max(0, phoneNumber.length - 3 - end.length)) + end;
};

/** Posts a text message to the receiver. Without one, logs that there is one. */
const handOverText = async (
  { captureLog, texts }: AttemptNeeds,
  { recipient: to, id }: Try,
  { text, code, locale, purpose, expiresAt }: MailContent,
): Promise<void> => {
  if (!texts) return captureLog(`captured text message to ${maskPhoneNumber(to)}`);
  const message = { to, text, code, purpose, locale, expiresAt };
  return withinSeconds(textSeconds, (signal) => texts.send(id, message, signal));
};

/**
 * Sends a mail to the SMTP server, or a text message to its receiver. Without one, logs the mail with its link. A code is not logged,
 * because a log shows it next to its address. Fails permanently if the link or code has expired.
 */
const handOver = async (deps: AttemptNeeds, delivery: Try): Promise<void> => {
  if (delivery.tries > deps.config.mail.attemptsMax)
    throw new UnretryableError("every attempt ended without an outcome, for example by a crash");
  const content = contentToSend(delivery);
  if (delivery.channel === "text") return handOverText(deps, delivery, content);
  const { link, text, html, locale, traceparent } = content;
  const { recipient: to, subject, id } = delivery;
  if (!deps.transport)
    return deps.captureLog(`captured mail to ${to}, "${subject}"${link ? `: ${link}` : ""}`);
  const messageId = `<${id}@${senderDomain(deps.config.mail.from)}>`;
  const mail = { text, html, subject, to, messageId, traceparent, ...(locale ? { locale } : {}) };
  const { transport } = deps;
  return withinSeconds(attemptSeconds, (signal) => transport.send(mail, signal));
};

/** The name of the sender of each channel, in the metrics. */
const providers = { mail: "smtp", text: "receiver" } as const;

/** Returns what sends the messages of a channel, or undefined if they are captured. */
const senderOf = ({ texts, transport }: AttemptNeeds, channel: Channel) =>
  channel === "text" ? texts : transport;

/** Returns the outcome of a failure. Logs it without the secrets that the server may quote. */
const fail = (
  { config, logger }: AttemptNeeds,
  { channel, content, tries, eventId, event }: Try,
  error: unknown,
): Pick<MailOutcome, "lastError" | "state"> => {
  const { attemptsMax, smtpUrl } = config.mail;
  const { link, code } = content ?? {};
  const reason = failureReason(error, { link, code, smtpUrl });
  const isFinal =
    error instanceof UnretryableError || isPermanentRefusal(error) || tries >= attemptsMax;
  const kind = kinds[channel];
  if (isFinal) logger.error({ reason, eventId, event }, `${kind} failed`);
  else logger.warn({ reason, eventId, event }, `failed to send ${kind}, will retry`);
  return { state: isFinal ? "failed" : "retrying", lastError: reason };
};

/**
 * Attempts to send a claimed mail or text message. The last attempt deletes content whose link or code opens an account. Captured mails keep it, because they
 * are read in the admin web.
 */
export const attemptMail = async (
  deps: AttemptNeeds,
  claimed: ClaimedDelivery,
): Promise<MailOutcome> => {
  const content = openContent(deps.ring, claimed.contentSealed);
  const delivery = { ...claimed, content };
  const { state, lastError } = await handOver(deps, delivery).then(
    () => ({
      state: senderOf(deps, claimed.channel) ? ("sent" as const) : ("captured" as const),
      lastError: null,
    }),
    (error: unknown) => fail(deps, delivery, error),
  );
  return {
    id: claimed.id,
    attempts: claimed.attempts,
    state,
    lastError,
    endedAt: new Date(deps.clock()),
    deletesContent:
      (state === "sent" || state === "failed") && content?.isDeletedOnceSettled === true,
    delaySeconds: retryDelay(claimed.tries, backoffs[claimed.channel], Math.random) / 1_000,
  };
};

/**
 * Starts the loop that sends the due messages of a channel. Messages that failed before have a share of the attempts, so that a server which
 * hangs for some of them does not delay new ones. An interrupted attempt may still succeed, so its lease ends by itself. The loop also sends
 * what consumers store while the process leaves.
 */
export const startChannel = (
  deps: AttemptNeeds & Pick<Deps, "attemptSeconds" | "db" | "dispatch">,
  channel: Channel,
): Background => {
  const { db, dispatch, logger } = deps;
  const provider = senderOf(deps, channel) ? providers[channel] : "captured";
  const concurrency = concurrencies[channel];
  const { stop } = startDeliveries<ClaimedDelivery, MailOutcome>(
    { logger, wake: dispatch.wakes[channel] },
    {
      kind: kinds[channel],
      concurrency,
      attemptSeconds: channel === "text" ? textSeconds : attemptSeconds,
      claim: ({ running, limit, leaseSeconds }) =>
        claimDeliveries(db, {
          channel,
          limit,
          repeatedLimit: concurrency / 2 - (running.get("repeated") ?? 0),
          leaseSeconds,
        }),
      laneOf: ({ tries }) => (tries > 1 ? "repeated" : "first"),
      attempt: (claimed) => attemptMail(deps, claimed),
      observe: ({ event }, { state }, seconds) =>
        deps.attemptSeconds.observe(
          { provider, event: event ?? "unknown", outcome: state },
          seconds,
        ),
      settle: async (outcomes) => {
        for (const outcome of outcomes) await settleAttempt(db, outcome);
      },
    },
  );
  return { stop };
};
