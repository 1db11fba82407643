import type { Event } from "@latchkey/contracts";
import type { EventConsumers } from "@latchkey/service-kit";
import { deliverMail } from "./deliveries/deliver-mail.ts";
import { resumeDelivery } from "./deliveries/resume-delivery.ts";
import { forgetUser } from "./departed-users/forget-user.ts";
import type { Deps } from "./deps.ts";
import { accountDeletionMail } from "./templates/account-deletion.ts";
import { accountLinkedMail } from "./templates/account-linked.ts";
import { emailChangeMail } from "./templates/email-change.ts";
import { invitationMail } from "./templates/invitation.ts";
import type { Mail } from "./templates/mail.ts";
import { passwordResetMail } from "./templates/password-reset.ts";
import { verificationMail } from "./templates/verification.ts";

/** Returns a consumer that sends the mail of an event to the event's address. */
const sends =
  <Data extends { email: string }>(createMail: (appName: string, data: Data) => Mail) =>
  (deps: Deps, event: Event & { data: Data }): Promise<void> =>
    deliverMail(deps, event, {
      to: event.data.email,
      ...createMail(deps.config.appName, event.data),
    });

/** The consumer of each event. */
export const consumers: EventConsumers<"mailer", Deps> = {
  "verification.requested": sends(verificationMail),
  "password-reset.requested": sends(passwordResetMail),
  "account-deletion.requested": sends(accountDeletionMail),
  "account.linked": sends(accountLinkedMail),
  "email-change.requested": sends(emailChangeMail),
  "invitation.sent": sends(invitationMail),
  "user.deleted": forgetUser,
  "delivery.retried": (deps, { data }) => resumeDelivery(deps, data),
};
