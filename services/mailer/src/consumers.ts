import type { Event, MailLocale } from "@latchkey/contracts";
import type { EventConsumers } from "@latchkey/service-kit";
import { MailFailedError } from "./deliveries/attempt-delivery.ts";
import { deliverMail } from "./deliveries/deliver-mail.ts";
import { resumeDelivery } from "./deliveries/resume-delivery.ts";
import { forgetUser } from "./departed-users/forget-user.ts";
import type { Deps } from "./deps.ts";
import { type Wording, wordingIn } from "./languages/wording.ts";
import { accountDeletionMail } from "./templates/account-deletion.ts";
import { accountLinkedMail } from "./templates/account-linked.ts";
import { backupCodesGeneratedMail, backupCodeUsedMail } from "./templates/backup-code-notices.ts";
import { emailChangedMail } from "./templates/email-changed.ts";
import { emailChangeMail } from "./templates/email-change.ts";
import { emailCodeMail } from "./templates/email-code.ts";
import { invitationMail } from "./templates/invitation.ts";
import type { Mail } from "./templates/mail.ts";
import {
  passkeyAddedMail,
  passkeyRefusedMail,
  passkeyRemovedMail,
} from "./templates/passkey-notices.ts";
import { passwordResetMail } from "./templates/password-reset.ts";
import { signInLinkMail } from "./templates/sign-in-link.ts";
import { twoFactorCodeMail } from "./templates/two-factor-code.ts";
import {
  twoFactorDisabledMail,
  twoFactorEnabledMail,
  twoFactorLockedMail,
  twoFactorRequiredMail,
  twoFactorResetMail,
} from "./templates/two-factor-notices.ts";
import { userInvitationMail } from "./templates/user-invitation.ts";
import { verificationMail } from "./templates/verification.ts";
import { webhookPausedMail } from "./templates/webhook-paused.ts";

/**
 * Returns a consumer that sends the mail of an event to the event's address, in the event's language if it names one. A mail that fails
 * stays in the list of mails, where admins retry it. Its message is done, so that one failed mail is not also a failed message. A message
 * that runs again for a failed mail fails, because nothing is sent.
 */
const sends =
  <Data extends { email: string; locale?: MailLocale | undefined }>(
    createMail: (wording: Wording, data: Data) => Mail,
  ) =>
  async (deps: Deps, event: Event & { data: Data }): Promise<void> => {
    const { appName, branding, mail: options } = deps.config;
    const wording = wordingIn(event.data.locale ?? options.locale, appName, branding);
    const mail = createMail(wording, event.data);
    await deliverMail(deps, event, { to: event.data.email, ...mail }).catch((error: unknown) => {
      if (!(error instanceof MailFailedError)) throw error;
      deps.logger.error({ err: error, eventId: event.id, event: event.name }, "mail failed");
    });
  };

/** The consumer of each event. */
export const consumers: EventConsumers<"mailer", Deps> = {
  "verification.requested": sends(verificationMail),
  "password-reset.requested": sends(passwordResetMail),
  "user-invitation.requested": sends(userInvitationMail),
  "account-deletion.requested": sends(accountDeletionMail),
  "account.linked": sends(accountLinkedMail),
  "email-change.requested": sends(emailChangeMail),
  "email.changed": sends(emailChangedMail),
  "two-factor-code.requested": sends(twoFactorCodeMail),
  "sign-in-link.requested": sends(signInLinkMail),
  "email-code.requested": sends(emailCodeMail),
  "two-factor.enabled": sends(twoFactorEnabledMail),
  "two-factor.disabled": sends(twoFactorDisabledMail),
  "two-factor.reset": sends(twoFactorResetMail),
  "two-factor.locked": sends(twoFactorLockedMail),
  "two-factor.required": sends(twoFactorRequiredMail),
  "backup-code.used": sends(backupCodeUsedMail),
  "backup-codes.generated": sends(backupCodesGeneratedMail),
  "passkey.added": sends(passkeyAddedMail),
  "passkey.removed": sends(passkeyRemovedMail),
  "passkey.refused": sends(passkeyRefusedMail),
  "invitation.sent": sends(invitationMail),
  "webhook.paused": sends(webhookPausedMail),
  "user.deleted": forgetUser,
  "delivery.retried": (deps, { data }) => resumeDelivery(deps, data),
};
