import type { EventData } from "@latchkey/contracts";
import { type Mail, noticeMail } from "./mail.ts";

/** Notifies the user that a provider's account was linked. */
export const accountLinkedMail = (appName: string, data: EventData<"account.linked">): Mail =>
  noticeMail({
    subject: `An account at ${data.provider} was linked`,
    name: data.name,
    lead: `An account at ${data.provider} was linked to your account at ${appName}, and signs in to it from now on.`,
    footer: `If this was not you, somebody else may have a way into your account: change your password at ${appName}, and unlink the account at ${data.provider}.`,
  });
