import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { linkMail, type Mail } from "./mail.ts";

/** Sends a link that signs in. */
export const signInLinkMail = (
  wording: Wording,
  { name, url, expiresAt }: EventData<"sign-in-link.requested">,
): Mail => {
  const { say, time } = wording;
  const mail = linkMail(wording, {
    subject: say("signInLink.subject"),
    name,
    lead: say("signInLink.lead", { time: time(expiresAt) }),
    action: say("signInLink.action"),
    url,
    footer: say("signInLink.footer"),
  });
  return { ...mail, isDeletedOnceSettled: true };
};
