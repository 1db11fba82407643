import type { EventData } from "@latchkey/contracts";
import { linkMail, type Mail } from "./mail.ts";

/** Requests the verification of an address. */
export const verificationMail = (
  appName: string,
  data: EventData<"verification.requested">,
): Mail =>
  linkMail({
    subject: `Verify your e-mail address for ${appName}`,
    name: data.name,
    lead: `Please confirm that this is your e-mail address for ${appName}.`,
    action: "Verify e-mail address",
    url: data.url,
    footer: "If you did not ask for this, you can ignore this mail.",
  });
