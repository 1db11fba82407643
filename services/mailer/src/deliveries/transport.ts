import type { Tracing } from "@latchkey/service-kit";
import type { MailerConfig } from "../config.ts";
import type { Mail } from "../templates/mail.ts";

export interface OutgoingMail extends Omit<Mail, "link"> {
  to: string;
  /** The same at every attempt, so that mail systems can detect repetitions. */
  messageId: string;
}

/** Sends mails to the SMTP server. */
export interface Transport {
  send(mail: OutgoingMail): Promise<void>;
  close(): Promise<void>;
}

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
        maxConnections: 5,
        connectionTimeout: connectMilliseconds,
        greetingTimeout: connectMilliseconds,
        socketTimeout: answerMilliseconds,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    ),
  );
  const send = async ({ locale, ...mail }: OutgoingMail): Promise<void> => {
    const smtp = await opened;
    const headers = locale === undefined ? {} : { "content-language": locale };
    await smtp.sendMail({ ...mail, headers, to: { name: "", address: mail.to } });
  };
  const attributes = { "server.address": new URL(smtpUrl).hostname };
  return {
    send: tracing
      ? (mail) => tracing.span("send mail", { kind: "client", attributes }, () => send(mail))
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
