import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail } from "./mail.ts";

/** Sends the link to set a new password. */
export const passwordResetMail = (
  appName: string,
  data: EventData<"password-reset.requested">,
): Mail =>
  linkMail({
    subject: `Reset your password for ${appName}`,
    name: data.name,
    lead: `Somebody, probably you, asked to set a new password for your account at ${appName}.`,
    action: "Choose a new password",
    url: data.url,
    footer: "If it was not you, you can ignore this mail: your password stays as it is.",
  });
