import { createTransport } from "nodemailer";
import { failureReason } from "./failure-reason.ts";

export interface SmtpCheck {
  smtpUrl: string;
  /** How long a connection, a greeting and each answer may take. */
  milliseconds: number;
}

/**
 * Connects to an SMTP server, greets it and signs in where the URL says who; sends nothing. Rejects when any of it fails, with
 * the code that Node or the client has for that, and without the credentials where the server quotes them.
 */
export const checkSmtp = async ({ smtpUrl, milliseconds }: SmtpCheck): Promise<void> => {
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
