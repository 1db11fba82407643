import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { type Mail, noticeMail } from "./mail.ts";

/** Tells the contact of a webhook that it has failed for long and was paused. */
export const webhookPausedMail = (
  wording: Wording,
  { name, url, description, failingSince }: EventData<"webhook.paused">,
): Mail => {
  const { say, time } = wording;
  const place = description === "" ? url : `${description} (${url})`;
  return noticeMail(wording, {
    subject: say("webhookPaused.subject", { place: description || url }),
    name,
    lead: say("webhookPaused.lead", { place, time: time(failingSince) }),
    footer: say("webhookPaused.footer"),
  });
};
