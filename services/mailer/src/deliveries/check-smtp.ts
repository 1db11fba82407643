import { failureReason } from "./failure-reason.ts";

export interface SmtpCheck {
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
