import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { linkMail, type Mail } from "./mail.ts";

/** Requests the verification of an address. */
export const verificationMail = (
  wording: Wording,
  { name, url }: EventData<"verification.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("verification.subject"),
    name,
    lead: say("verification.lead"),
    action: say("verification.action"),
    url,
    footer: say("verification.footer"),
  });
};
