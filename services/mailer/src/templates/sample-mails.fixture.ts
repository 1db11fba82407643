import { type EventData, type MailLocale, mailLocale } from "@latchkey/contracts";
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
} from "./security-notices.ts";
import {
  accountDeletionMail,
  emailChangeMail,
  invitationMail,
  passwordResetMail,
  signInLinkMail,
  userInvitationMail,
  verificationMail,
} from "./link-mails.ts";
import { emailCodeMail, twoFactorCodeMail } from "./code-mails.ts";
import type { Mail } from "./mail.ts";
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

const accountMails = (
  wording: Wording,
  about: { userId: string; email: string; name: string },
) => ({
  "claimed account": accountClaimedMail(wording, {
    ...about,
    url,
    ended: ["password", "accounts", "passkeys", "secondFactor", "phoneNumber"],
  }),
  "claimed account without a link": accountClaimedMail(wording, { ...about, ended: ["passkeys"] }),
  "merged account": accountsMergedMail(wording, {
    ...about,
    keptEmail: "ada@new.example",
    mergedEmail: "ada@example.com",
    mergedAt: time,
    undoableUntil: time,
  }),
  "separated account": accountsSeparatedMail(wording, {
    ...about,
    keptEmail: "ada@new.example",
    mergedEmail: "ada@example.com",
    separatedAt: time,
  }),
});

/** Returns the mails that name a browser and an address. */
const sampleBrowserMails = (
  wording: Wording,
  added: EventData<"passkey.added">,
): Record<string, Mail> => ({
  "new browser": browserAddedMail(wording, added),
  "added passkey": passkeyAddedMail(wording, added),
  "passkey added on an iPhone": passkeyAddedMail(wording, { ...added, userAgent: iPhone }),
  "passkey added by an unknown browser": passkeyAddedMail(wording, { ...added, userAgent: "" }),
});

/** Returns the mails about a new API key. */
const sampleKeyMails = (
  wording: Wording,
  { passkeyName: keyName, ...origin }: EventData<"passkey.added">,
): Record<string, Mail> => {
  const own = { isOfOrganization: false, isByAdmin: false, opensSessions: false };
  const mailOf = (key: Partial<typeof own>) =>
    apiKeyAddedMail(wording, { ...origin, keyName, ...own, ...key });
  return {
    "new API key": mailOf({}),
    "new API key that opens sessions": mailOf({ opensSessions: true }),
    "new API key of an organization": mailOf({ isOfOrganization: true }),
    "new API key by an administrator": mailOf({ isByAdmin: true }),
  };
};

/** Returns the mail with a code for each purpose. */
const sampleCodeMails = (
  wording: Wording,
  coded: Omit<EventData<"email-code.requested">, "purpose">,
): Record<string, Mail> =>
  Object.fromEntries(
    purposes.map((purpose) => [
      `code for ${purpose}`,
      emailCodeMail(wording, { ...coded, purpose }),
    ]),
  );

/** Returns the mails about a changed phone number. */
const samplePhoneMails = (
  wording: Wording,
  about: { userId: string; email: string; name: string },
): Record<string, Mail> =>
  Object.fromEntries(
    (["added", "removed", "moved"] as const).map((change) => [
      `phone number ${change}`,
      phoneNumberChangedMail(wording, { ...about, change }),
    ]),
  );

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
    ...accountMails(wording, about),
    "email change": emailChangeMail(wording, { ...link, newEmail }),
    "changed email": emailChangedMail(wording, { ...link, newEmail, expiresAt: time }),
    "changed email without an expiry": emailChangedMail(wording, { ...link, newEmail }),
    "sign-in link": signInLinkMail(wording, { ...link, expiresAt: time }),
    invitation: invitationMail(wording, invitation),
    "second factor's code": twoFactorCodeMail(wording, coded),
    ...sampleCodeMails(wording, coded),
    "compromised password": passwordCompromisedMail(wording, about),
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
    ...sampleBrowserMails(wording, added),
    ...sampleKeyMails(wording, added),
    "removed passkey": passkeyRemovedMail(wording, passkey),
    ...samplePhoneMails(wording, about),
    "paused webhook": webhookPausedMail(wording, {
      ...about,
      url: "https://app.example.com/hooks",
      description: "",
      failingSince: time,
    }),
    "refused passkey": passkeyRefusedMail(wording, passkey),
  };
};
