import type { EventHandlers } from "@latchkey/service-kit";
import { deliverMail } from "./deliveries/deliver-mail.ts";
import { resumeDelivery } from "./deliveries/resume-delivery.ts";
import { forgetUser } from "./departed-users/forget-user.ts";
import type { Deps } from "./deps.ts";
import { accountDeletionMail } from "./templates/account-deletion.ts";
import { accountLinkedMail } from "./templates/account-linked.ts";
import { emailChangeMail } from "./templates/email-change.ts";
import { invitationMail } from "./templates/invitation.ts";
import { passwordResetMail } from "./templates/password-reset.ts";
import { verificationMail } from "./templates/verification.ts";

/** Creates the event handlers: each sends a mail or maintains the mails. */
export const createConsumers = (deps: Deps): EventHandlers<"mailer"> => ({
  "verification.requested": (event) =>
    deliverMail(deps, event, {
      to: event.data.email,
      ...verificationMail(deps.config.appName, event.data),
    }),
  "password-reset.requested": (event) =>
    deliverMail(deps, event, {
      to: event.data.email,
      ...passwordResetMail(deps.config.appName, event.data),
    }),
  "account-deletion.requested": (event) =>
    deliverMail(deps, event, {
      to: event.data.email,
      ...accountDeletionMail(deps.config.appName, event.data),
    }),
  "account.linked": (event) =>
    deliverMail(deps, event, {
      to: event.data.email,
      ...accountLinkedMail(deps.config.appName, event.data),
    }),
  "email-change.requested": (event) =>
    deliverMail(deps, event, {
      to: event.data.email,
      ...emailChangeMail(deps.config.appName, event.data),
    }),
  "invitation.sent": (event) =>
    deliverMail(deps, event, {
      to: event.data.email,
      ...invitationMail(deps.config.appName, event.data),
    }),
  "user.deleted": (event) => forgetUser(deps, event),
  "delivery.retried": (event) => resumeDelivery(deps, event.data),
});
