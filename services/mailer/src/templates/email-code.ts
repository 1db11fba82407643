import type { EventData } from "@latchkey/contracts";
import { codeMail, type Mail } from "./mail.ts";

type EmailCode = EventData<"email-code.requested">;

interface Purpose {
  subject: string;
  lead: string;
  footer: string;
}

const purposeOf = (appName: string): Record<EmailCode["purpose"], Purpose> => ({
  "sign-in": {
    subject: `Your code to sign in to ${appName}`,
    lead: `Enter this code to sign in to ${appName}.`,
    footer:
      "If you did not ask for this, you can ignore this mail: without the code, nobody signs in.",
  },
  "email-verification": {
    subject: `Verify your e-mail address for ${appName}`,
    lead: `Enter this code to confirm that this is your e-mail address for ${appName}.`,
    footer: "If you did not ask for this, you can ignore this mail.",
  },
  "forget-password": {
    subject: `Reset your password for ${appName}`,
    lead: `Enter this code to set a new password for your account at ${appName}.`,
    footer: "If you did not ask for this, you can ignore this mail: your password stays as it is.",
  },
  "change-email": {
    subject: `Confirm your new e-mail address for ${appName}`,
    lead: `Enter this code to use this e-mail address for your account at ${appName} from now on.`,
    footer:
      "If you did not ask for this, you can ignore this mail: without the code, nothing changes.",
  },
});

/** Sends a code that proves access to the mailbox. */
export const emailCodeMail = (
  appName: string,
  { name, code, expiresAt, purpose }: EmailCode,
): Mail => codeMail({ ...purposeOf(appName)[purpose], name, appName, code, expiresAt });
