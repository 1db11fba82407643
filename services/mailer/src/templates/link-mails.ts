import { type EventData, showEmail } from "@latchkey/contracts";
import { expiryValues, linkMail, type Mail, safeLabel, safePersonName } from "./mail.ts";
import type { Wording } from "./wording.ts";

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

/** Sends the link to set a new password. */
export const passwordResetMail = (
  wording: Wording,
  { name, url }: EventData<"password-reset.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("passwordReset.subject"),
    name,
    lead: say("passwordReset.lead"),
    action: say("passwordReset.action"),
    url,
    footer: say("passwordReset.footer"),
  });
};

/** Requests, at the old address, the confirmation of a new address. */
export const emailChangeMail = (
  wording: Wording,
  { name, newEmail, url }: EventData<"email-change.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("emailChange.subject"),
    name,
    lead: say("emailChange.lead", { newEmail: showEmail(newEmail) }),
    action: say("emailChange.action"),
    url,
    footer: say("emailChange.footer"),
  });
};

/** Requests the confirmation of an account deletion. */
export const accountDeletionMail = (
  wording: Wording,
  { name, url }: EventData<"account-deletion.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("accountDeletion.subject"),
    name,
    lead: say("accountDeletion.lead"),
    action: say("accountDeletion.action"),
    url,
    footer: say("accountDeletion.footer"),
  });
};

/** Sends the link by which an invited user chooses a password. */
export const userInvitationMail = (
  wording: Wording,
  { name, url, expiresAt }: EventData<"user-invitation.requested">,
): Mail => {
  const { say } = wording;
  return linkMail(wording, {
    subject: say("userInvitation.subject"),
    name,
    lead: say("userInvitation.lead", expiryValues(wording, expiresAt)),
    action: say("userInvitation.action"),
    url,
    footer: say("userInvitation.footer"),
  });
};

/** Invites a reader, whose name is unknown, to an organization. */
export const invitationMail = (wording: Wording, data: EventData<"invitation.sent">): Mail => {
  const { inviterName, inviterEmail, organizationName, url, expiresAt } = data;
  const { say, time } = wording;
  const name = safePersonName(inviterName);
  const email = showEmail(inviterEmail);
  const inviter = name === undefined ? email : `${name} (${email})`;
  const label = safeLabel(organizationName);
  const organization = {
    hasOrganization: label === undefined ? "no" : "yes",
    organization: label ?? "",
  };
  return linkMail(wording, {
    subject: say("invitation.subject", organization),
    name: "",
    lead: say("invitation.lead", { inviter, ...organization, time: time(expiresAt) }),
    action: say("invitation.action"),
    url,
    footer: say("invitation.footer"),
  });
};
