import { checkSmtp } from "@latchkey/mailer/commands";
import { fail, type Finding, ok } from "./finding.ts";
import type { Examined } from "./read-examined.ts";
import { runCheck } from "./run-check.ts";

const stepMilliseconds = 4_000;

/** Checks the SMTP server if one is configured. Sends nothing. */
export const checkMail = async ({ settings, leftOut }: Examined): Promise<Finding[]> => {
  const { smtpUrl, from } = settings.options.mail;
  if (leftOut.has("mail"))
    return [fail("mail", "not checked: its options are invalid", "fix mail.smtpUrl (SMTP_URL)")];
  if (!smtpUrl) return [ok("mail", "no SMTP server: mails are captured and shown by the mailer")];
  const { host: address } = new URL(smtpUrl);
  return runCheck("mail", { what: "the SMTP server", address, option: "SMTP_URL" }, async () => {
    await checkSmtp({ smtpUrl, milliseconds: stepMilliseconds });
    return [ok("mail", `${address} takes mails from ${from}`)];
  });
};
