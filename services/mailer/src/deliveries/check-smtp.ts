import { createTransport } from "nodemailer";

export interface SmtpCheck {
  smtpUrl: string;
  /** How long a connection, a greeting and each answer may take. */
  milliseconds: number;
}

/** Connects to an SMTP server, greets it and signs in where the URL says who; sends nothing. Rejects when any of it fails. */
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
  } finally {
    smtp.close();
  }
};
