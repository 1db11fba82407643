import { type EventData, type MailLocale, mailLocale } from "@latchkey/contracts";
import { accountDeletionMail } from "../templates/account-deletion.ts";
import { accountLinkedMail } from "../templates/account-linked.ts";
import { backupCodesGeneratedMail, backupCodeUsedMail } from "../templates/backup-code-notices.ts";
import { emailChangedMail } from "../templates/email-changed.ts";
import { emailChangeMail } from "../templates/email-change.ts";
import { emailCodeMail } from "../templates/email-code.ts";
import { invitationMail } from "../templates/invitation.ts";
import type { Mail } from "../templates/mail.ts";
import {
  passkeyAddedMail,
  passkeyRefusedMail,
  passkeyRemovedMail,
} from "../templates/passkey-notices.ts";
import { passwordResetMail } from "../templates/password-reset.ts";
import { signInLinkMail } from "../templates/sign-in-link.ts";
import { twoFactorCodeMail } from "../templates/two-factor-code.ts";
import {
  twoFactorDisabledMail,
  twoFactorEnabledMail,
  twoFactorLockedMail,
  twoFactorRequiredMail,
  twoFactorResetMail,
} from "../templates/two-factor-notices.ts";
import { userInvitationMail } from "../templates/user-invitation.ts";
import { verificationMail } from "../templates/verification.ts";
import { webhookPausedMail } from "../templates/webhook-paused.ts";
import type { Wording } from "./wording.ts";

/** All languages of mails. */
export const locales: readonly MailLocale[] = mailLocale.options;

/** The names that strangers choose, as they occur in a mail. */
export interface Names {
  user: string;
  organization: string;
  passkey: string;
}

export const harmless: Names = { user: "Ada", organization: "Acme", passkey: "YubiKey 5C" };

const time = "2030-01-02T03:04:05.000Z";
export const code = "482913";
export const url = "https://auth.example.com/api/auth/somewhere?token=a.b.c&callbackURL=%2Fhome";
export const newEmail = "ada@new.example";
const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) CriOS/140.0.0.0 Safari/604.1";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const purposes: EventData<"email-code.requested">["purpose"][] = [
  "sign-in",
  "email-verification",
  "forget-password",
  "change-email",
];

/** Returns every mail of the mailer by a description, in each form that differs. */
export const sampleMails = (wording: Wording, names: Names = harmless): Record<string, Mail> => {
  const about = { userId: "u1", email: "ada@example.com", name: names.user };
  const link = { ...about, url };
  const coded = { ...about, code, expiresAt: time };
  const passkey = { ...about, passkeyName: names.passkey };
  const added = { ...passkey, userAgent: firefox, address: "192.0.2.1" };
  const invitation = {
    invitationId: "i1",
    email: "ada@example.com",
    organizationName: names.organization,
    inviterName: names.user,
    inviterEmail: "grace@example.com",
    url,
    expiresAt: time,
  };
  return {
    verification: verificationMail(wording, link),
    "password reset": passwordResetMail(wording, link),
    "user invitation": userInvitationMail(wording, { ...link, expiresAt: time }),
    "user invitation without an expiry": userInvitationMail(wording, link),
    "account deletion": accountDeletionMail(wording, link),
    "linked account": accountLinkedMail(wording, { ...about, provider: "Google" }),
    "email change": emailChangeMail(wording, { ...link, newEmail }),
    "changed email": emailChangedMail(wording, { ...link, newEmail, expiresAt: time }),
    "changed email without an expiry": emailChangedMail(wording, { ...link, newEmail }),
    "sign-in link": signInLinkMail(wording, { ...link, expiresAt: time }),
    invitation: invitationMail(wording, invitation),
    "second factor's code": twoFactorCodeMail(wording, coded),
    ...Object.fromEntries(
      purposes.map((purpose) => [
        `code for ${purpose}`,
        emailCodeMail(wording, { ...coded, purpose }),
      ]),
    ),
    "second factor turned on": twoFactorEnabledMail(wording, about),
    "second factor turned off": twoFactorDisabledMail(wording, about),
    "removed second factor": twoFactorResetMail(wording, about),
    "locked second factor": twoFactorLockedMail(wording, { ...about, lockedUntil: time }),
    "required second factor": twoFactorRequiredMail(wording, { ...about, requiredFrom: time }),
    ...Object.fromEntries(
      [0, 1, 2, 5, 11].map((codesLeft) => [
        `used backup code, ${codesLeft} left`,
        backupCodeUsedMail(wording, { ...about, codesLeft }),
      ]),
    ),
    "new backup codes": backupCodesGeneratedMail(wording, about),
    "added passkey": passkeyAddedMail(wording, added),
    "passkey added on an iPhone": passkeyAddedMail(wording, { ...added, userAgent: iPhone }),
    "passkey added by an unknown browser": passkeyAddedMail(wording, { ...added, userAgent: "" }),
    "removed passkey": passkeyRemovedMail(wording, passkey),
    "paused webhook": webhookPausedMail(wording, {
      ...about,
      url: "https://app.example.com/hooks",
      description: "",
      failingSince: time,
    }),
    "refused passkey": passkeyRefusedMail(wording, passkey),
  };
};
