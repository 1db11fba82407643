import type { Event, MailLocale } from "@latchkey/contracts";
import type { EventConsumers } from "@latchkey/service-kit/run";
import { storeMail } from "./deliveries/deliver-mail.ts";
import { forgetUser } from "./departed-users/forget-user.ts";
import type { Deps } from "./deps.ts";
import { type Wording, wordingIn } from "./templates/wording.ts";
import {
  accountClaimedMail,
  accountLinkedMail,
  accountsMergedMail,
  accountsSeparatedMail,
  apiKeyAddedMail,
  backupCodesGeneratedMail,
  backupCodeUsedMail,
  browserAddedMail,
  emailChangedMail,
  passkeyAddedMail,
  passkeyRefusedMail,
  passwordCompromisedMail,
  passkeyRemovedMail,
  phoneNumberChangedMail,
  twoFactorDisabledMail,
  twoFactorEnabledMail,
  twoFactorLockedMail,
  twoFactorRequiredMail,
  twoFactorResetMail,
  webhookPausedMail,
} from "./templates/security-notices.ts";
import {
  accountDeletionMail,
  emailChangeMail,
  invitationMail,
  passwordResetMail,
  signInLinkMail,
  userInvitationMail,
  verificationMail,
} from "./templates/link-mails.ts";
import { emailCodeMail, phoneCodeText, twoFactorCodeMail } from "./templates/code-mails.ts";
import type { Mail } from "./templates/mail.ts";

/**
 * Returns a consumer that stores the mail of an event to the event's address, in the event's language if it names one. Its message is done
 * then. A mail that fails is in the list of mails, where admins retry it, so that it is not a failed message too.
 */
const sends =
  <Data extends { email: string; locale?: MailLocale | undefined }>(
    createMail: (wording: Wording, data: Data) => Mail,
  ) =>
  (deps: Deps, event: Event & { data: Data }): Promise<void> => {
    const { appName, branding, mail: options } = deps.config;
    const wording = wordingIn(event.data.locale ?? options.locale, appName, branding);
    return storeMail(deps, event, { to: event.data.email, ...createMail(wording, event.data) });
  };

/** Stores the text message of a code. */
const sendCode = (deps: Deps, event: Event<"phone-code.requested">): Promise<void> => {
  const { appName, branding, host, mail } = deps.config;
  const wording = wordingIn(event.data.locale ?? mail.locale, appName, branding);
  return storeMail(deps, event, phoneCodeText(wording, event.data, host));
};

/** The consumer of each event. */
export const consumers: EventConsumers<"mailer", Deps> = {
  "verification.requested": sends(verificationMail),
  "password-reset.requested": sends(passwordResetMail),
  "user-invitation.requested": sends(userInvitationMail),
  "account-deletion.requested": sends(accountDeletionMail),
  "account.linked": sends(accountLinkedMail),
  "account.claimed": sends(accountClaimedMail),
  "accounts.merged": sends(accountsMergedMail),
  "accounts.separated": sends(accountsSeparatedMail),
  "email-change.requested": sends(emailChangeMail),
  "email.changed": sends(emailChangedMail),
  "two-factor-code.requested": sends(twoFactorCodeMail),
  "sign-in-link.requested": sends(signInLinkMail),
  "email-code.requested": sends(emailCodeMail),
  "password.compromised": sends(passwordCompromisedMail),
  "phone-code.requested": sendCode,
  "phone-number.changed": sends(phoneNumberChangedMail),
  "two-factor.enabled": sends(twoFactorEnabledMail),
  "two-factor.disabled": sends(twoFactorDisabledMail),
  "two-factor.reset": sends(twoFactorResetMail),
  "two-factor.locked": sends(twoFactorLockedMail),
  "two-factor.required": sends(twoFactorRequiredMail),
  "backup-code.used": sends(backupCodeUsedMail),
  "backup-codes.generated": sends(backupCodesGeneratedMail),
  "browser.added": sends(browserAddedMail),
  "api-key.added": sends(apiKeyAddedMail),
  "passkey.added": sends(passkeyAddedMail),
  "passkey.removed": sends(passkeyRemovedMail),
  "passkey.refused": sends(passkeyRefusedMail),
  "invitation.sent": sends(invitationMail),
  "webhook.paused": sends(webhookPausedMail),
  "user.deleted": forgetUser,
  // Replicas of earlier versions publish it. The row that they changed is due.
  "delivery.retried": async ({ dispatch }) => dispatch.wake(),
};
