import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { type Mail, noticeMail } from "./mail.ts";

/** Notifies the user that a provider's account was linked. */
export const accountLinkedMail = (
  wording: Wording,
  { name, provider }: EventData<"account.linked">,
): Mail => {
  const { say } = wording;
  return noticeMail(wording, {
    subject: say("accountLinked.subject", { provider }),
    name,
    lead: say("accountLinked.lead", { provider }),
    footer: say("accountLinked.footer", { provider }),
  });
};
