import type { EventData } from "@latchkey/contracts";
import { codeMail, type Mail } from "./mail.ts";

/** Sends the code of a second factor, for a sign-in or to confirm an action of a signed-in user. */
export const twoFactorCodeMail = (
  appName: string,
  { name, code, expiresAt }: EventData<"two-factor-code.requested">,
): Mail =>
  codeMail({
    subject: `Confirm that it is you at ${appName}`,
    name,
    appName,
    lead: `Enter this code at ${appName} to confirm that it is you. It is the second factor of your account.`,
    code,
    expiresAt,
    footer: `If you did not ask for this, somebody else may know your password: change your password at ${appName}.`,
  });
