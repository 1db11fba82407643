import type { Tracing } from "@latchkey/service-kit/observe";
import type { MailerConfig } from "../config.ts";
import type { Mail } from "../templates/mail.ts";
import { failureReason } from "./failure-reason.ts";

interface OutgoingMail extends Omit<Mail, "link"> {
  to: string;
  /** The same at every attempt, so that mail systems can detect repetitions. */
  messageId: string;
  /** The span that the sending continues. */
  traceparent?: string | undefined;
}

/** Sends mails to the SMTP server. */
export interface Transport {
  /** Closes the connection of the mail when the signal is aborted, so that the mail is not sent later. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Mails that are sent at a time. */
export const connectionCount = 8;
const connectMilliseconds = 10_000;
const answerMilliseconds = 30_000;

/** Creates a pooled SMTP transport, or returns undefined without a server, so that mails are captured. */
export const createSmtpTransport = (
  { from, smtpUrl }: MailerConfig["mail"],
  tracing?: Tracing,
): Transport | undefined => {
  if (!smtpUrl) return undefined;
  // Loaded here, because a mailer that captures mails does not need its 8 MB.
  const opened = import("nodemailer").then(({ createTransport }) =>
    createTransport(
      {
        url: smtpUrl,
        pool: true,
        maxConnections: connectionCount,
        connectionTimeout: connectMilliseconds,
        greetingTimeout: connectMilliseconds,
        socketTimeout: answerMilliseconds,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    ),
  );
  const send = async (
    { locale, traceparent: _, ...mail }: OutgoingMail,
    signal: AbortSignal,
  ): Promise<void> => {
    const smtp = await opened;
    const headers = locale === undefined ? {} : { "content-language": locale };
    await smtp.sendMail({ ...mail, headers, to: { name: "", address: mail.to }, signal });
  };
  const span = {
    kind: "client",
    attributes: { "server.address": new URL(smtpUrl).hostname },
  } as const;
  return {
    send: tracing
      ? (mail, signal) =>
          tracing.span("send mail", { ...span, traceparent: mail.traceparent }, () =>
            send(mail, signal),
          )
      : send,
    close: async () => (await opened).close(),
  };
};

/** Returns whether the server rejected the mail permanently (5xx), so that a retry cannot help. */
export const isPermanentRefusal = (error: unknown): boolean => {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  // An earlier rejection, such as of the credentials, concerns the configuration. It ends once the operator fixes it.
  const isOfMail = command === "RCPT TO" || command === "DATA" || command === "MAIL FROM";
  return typeof responseCode === "number" && responseCode >= 500 && isOfMail;
};

interface SmtpCheck {
  smtpUrl: string;
  /** Timeout of the connection, the greeting and each reply. */
  milliseconds: number;
}

/**
 * Connects to an SMTP server and signs in if the URL has credentials. Sends no mail. Rejects with the code of Node or the
 * client if any step fails, and without the credentials if the server quotes them.
 */
export const checkSmtp = async ({ smtpUrl, milliseconds }: SmtpCheck): Promise<void> => {
  const { createTransport } = await import("nodemailer");
  const smtp = createTransport({
    url: smtpUrl,
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    dnsTimeout: milliseconds,
  });
  try {
    await smtp.verify();
  } catch (error) {
    const { code, response } = error as { code?: unknown; response?: unknown };
    if (response === undefined) throw error;
    throw Object.assign(new Error(failureReason(error, { smtpUrl })), { code });
  } finally {
    smtp.close();
  }
};
