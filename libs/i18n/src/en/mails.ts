/** The English texts of the mails, in ICU message syntax. Each can include the name of the application as `{app}`. */
export const mails = {
  "greeting.named": "Hello {name},",
  "greeting.plain": "Hello,",
  "link.fallback": "If the button does not work, open this address:",
  "foot.support": "Questions? Write to {address}",
  "foot.terms": "Terms of service",
  "foot.privacy": "Privacy policy",
  "code.expiry": "The code expires on {time} and works once.",
  "code.warning": "Nobody at {app} will ask you for this code. Give it to nobody.",
  "browser.onSystem":
    "{browser} on {system, select, iPhone {an iPhone} iPad {an iPad} other {{system}}}",
  "browser.unknown": "an unknown browser",
  "browser.atAddress": "{browser} at the address {address}",
  "verification.subject": "Verify your email for {app}",
  "verification.lead": "Please confirm that this is your email for {app}.",
  "verification.action": "Verify email",
  "verification.footer": "If you did not ask for this, you can ignore this mail.",
  "passwordReset.subject": "Reset your password for {app}",
  "passwordReset.lead":
    "Somebody, probably you, asked to set a new password for your account at {app}.",
  "passwordReset.action": "Choose a new password",
  "passwordReset.footer":
    "If it was not you, you can ignore this mail: your password stays as it is.",
  "userInvitation.subject": "You are invited to {app}",
  "userInvitation.lead":
    "An account at {app} was created for you. Choose a password to sign in. The link works once{hasExpiry, select, yes {, until {time}} other {}}.",
  "userInvitation.action": "Choose a password",
  "userInvitation.footer":
    "If you did not expect this mail, you can ignore it: without a password nobody can sign in.",
  "accountDeletion.subject": "Confirm the deletion of your account at {app}",
  "accountDeletion.lead":
    "Please confirm that your account at {app} shall be deleted. This cannot be undone.",
  "accountDeletion.action": "Delete my account",
  "accountDeletion.footer":
    "If you did not ask for this, do not open the link: your account stays.",
  "accountLinked.subject": "An account at {provider} was linked",
  "accountLinked.lead":
    "An account at {provider} was linked to your account at {app}, and signs in to it from now on.",
  "accountLinked.footer":
    "If this was not you, somebody else may have a way into your account: change your password at {app}, and unlink the account at {provider}.",
  "claimed.subject": "Ways to sign in to {app} were removed",
  "claimed.lead":
    "Your email has been confirmed for your account at {app}. It was not confirmed before, so somebody else may have set up the account. These were removed: {ended}. All other devices were signed out, and earlier API keys do not work any more.",
  "claimed.choose": "Choose a new password by this link. It works once.",
  "claimed.action": "Choose a new password",
  "claimed.footer":
    "If this was not you, somebody else can read your mail: change the password of your mailbox, and contact the support of {app}.",
  "claimed.password": "the password",
  "claimed.accounts": "linked accounts",
  "claimed.passkeys": "passkeys",
  "claimed.secondFactor": "the second factor",
  "claimed.phoneNumber": "the phone number",
  "webhookPaused.subject": "Events to {place} are paused",
  "webhookPaused.lead":
    "Your webhook {place} has failed since {time}. It was paused, and no further events are sent to it.",
  "webhookPaused.footer":
    "Events that occur meanwhile are kept for a limited time. Once the receiver answers again, resume the webhook at {app}: the waiting events are then sent.",
  "emailChange.subject": "Confirm your new email for {app}",
  "emailChange.lead": "Please confirm that your email for {app} shall be changed to {newEmail}.",
  "emailChange.action": "Change email",
  "emailChange.footer":
    "If you did not ask for this, do not open the link, and change your password.",
  "accountsMerged.subject": "Your accounts at {app} were merged",
  "accountsMerged.lead":
    "An administrator of {app} merged two accounts on {time}: {mergedEmail} is now part of {email}. Sign in as {email} from now on.",
  "accountsMerged.footer":
    "If both accounts are not yours, or you do not agree, contact the support of {app} before {until}. The merge can be undone until then.",
  "accountsSeparated.subject": "The merge of your accounts at {app} was undone",
  "accountsSeparated.lead":
    "An administrator of {app} undid the merge of two accounts on {time}: {email} and {mergedEmail} are separate accounts again. Sign in to each with its own email. All sessions of {email} have ended.",
  "accountsSeparated.footer":
    "If you do not agree, or one of the accounts is not yours, contact the support of {app}.",
  "emailChanged.subject": "Your email for {app} was changed",
  "emailChanged.lead":
    "The email of your account at {app} was changed to {newEmail}. If this was not you, you can undo the change by this link{hasExpiry, select, yes { until {time}} other {}}. It also signs out all devices, and you choose a new password.",
  "emailChanged.action": "Undo the change",
  "emailChanged.footer":
    "If you changed the address yourself, do not open the link: there is nothing to do.",
  "signInLink.subject": "Your link to sign in to {app}",
  "signInLink.lead":
    "Open this link to sign in to {app}. It expires on {time} and works once. Nobody at {app} will ask you for this link. Give it to nobody.",
  "signInLink.action": "Sign in",
  "signInLink.footer":
    "If you did not ask for this, do not open the link, and ignore this mail: without the link, nobody signs in.",
  "invitation.subject":
    "Join {hasOrganization, select, yes {{organization}} other {an organization}} at {app}",
  "invitation.lead":
    "{inviter} invites you to join {hasOrganization, select, yes {{organization}} other {an organization}} at {app}. The invitation ends on {time}.",
  "invitation.action": "Accept invitation",
  "invitation.footer":
    "If you do not know them, you can ignore this mail: nothing happens without you.",
  "twoFactorCode.subject": "Confirm that it is you at {app}",
  "twoFactorCode.lead":
    "Enter this code at {app} to confirm that it is you. It is the second factor of your account.",
  "twoFactorCode.footer":
    "If you did not ask for this, somebody else may know your password: change your password at {app}.",
  "emailCode.signIn.subject": "Your code to sign in to {app}",
  "emailCode.signIn.lead": "Enter this code to sign in to {app}.",
  "emailCode.signIn.footer":
    "If you did not ask for this, you can ignore this mail: without the code, nobody signs in.",
  "emailCode.verification.subject": "Verify your email for {app}",
  "emailCode.verification.lead": "Enter this code to confirm that this is your email for {app}.",
  "emailCode.verification.footer": "If you did not ask for this, you can ignore this mail.",
  "emailCode.password.subject": "Reset your password for {app}",
  "emailCode.password.lead": "Enter this code to set a new password for your account at {app}.",
  "emailCode.password.footer":
    "If you did not ask for this, you can ignore this mail: your password stays as it is.",
  "emailCode.change.subject": "Confirm your new email for {app}",
  "emailCode.change.lead":
    "Enter this code to use this email for your account at {app} from now on.",
  "emailCode.change.footer":
    "If you did not ask for this, you can ignore this mail: without the code, nothing changes.",
  "twoFactorEnabled.subject": "Your second factor at {app} was turned on",
  "twoFactorEnabled.lead":
    "The second factor of your account at {app} was turned on. A sign-in needs a code from now on.",
  "twoFactorEnabled.footer":
    "If this was not you, somebody else has access to your account: change your password at {app}, and contact its support.",
  "twoFactorDisabled.subject": "Your second factor at {app} was turned off",
  "twoFactorDisabled.lead":
    "The second factor of your account at {app} was turned off. A sign-in needs no code any more.",
  "twoFactorDisabled.footer":
    "If this was not you, somebody else has access to your account: change your password at {app}, and turn the second factor on again.",
  "twoFactorReset.subject": "Your second factor at {app} was removed",
  "twoFactorReset.lead":
    "An administrator of {app} removed the second factor of your account. All devices were signed out.",
  "twoFactorReset.footer":
    "Sign in at {app}, and set up a second factor again. If you did not ask for this, change your password and contact the support of {app}.",
  "twoFactorLocked.subject": "Your second factor at {app} is locked",
  "twoFactorLocked.lead":
    "Too many wrong codes were entered for the second factor of your account at {app}. It is locked until {time}.",
  "twoFactorLocked.footer":
    "If this was not you, somebody else may know your password: change your password at {app}. Wrong codes sign in nobody.",
  "twoFactorRequired.subject": "Set up a second factor for {app}",
  "twoFactorRequired.lead":
    "Your account at {app} needs a second factor from {time} on. Set it up before that time, otherwise you set it up at your next sign-in.",
  "twoFactorRequired.footer":
    "Open {app} as you usually do: this mail contains no link, and nobody at {app} will ask you for a code.",
  "backupCodeUsed.subject": "A backup code was used at {app}",
  "backupCodeUsed.lead":
    "A backup code of your account at {app} was used. {codesLeft, plural, =0 {No backup codes are left} one {# backup code is left} other {# backup codes are left}}.",
  "backupCodeUsed.footer":
    "If this was not you, somebody else has your backup codes: change your password at {app}, and create new backup codes.",
  "backupCodesGenerated.subject": "New backup codes were created at {app}",
  "backupCodesGenerated.lead":
    "New backup codes were created for your account at {app}. The earlier ones are not valid any more.",
  "backupCodesGenerated.footer":
    "If this was not you, somebody else has access to your account: change your password at {app}, and create new backup codes.",
  "passkeyAdded.subject": "A passkey was added to your account at {app}",
  "passkeyAdded.lead":
    "{hasLabel, select, yes {A passkey “{label}”} other {A passkey}} was added to your account at {app}, by {origin}. It signs in to your account from now on.",
  "passkeyAdded.footer":
    "If this was not you, somebody else has access to your account: remove the passkey at {app}, and change your password.",
  "passwordCompromised.subject": "Choose a new password for {app}",
  "passwordCompromised.lead":
    "You signed in to {app} with a password that is known from leaks of other websites. Others may try it, so please choose another one in your account.",
  "passwordCompromised.footer":
    "Nothing else is wrong: nobody at {app} knows your password, and this mail contains no link on purpose. Also change it wherever else you use it.",
  "browserAdded.subject": "New sign-in to {app}",
  "browserAdded.lead":
    "Somebody signed in to your account at {app} by {origin}. You have not signed in there before.",
  "browserAdded.footer":
    "If this was you, there is nothing to do. If not, change your password at {app}, and end the session.",
  "apiKeyAdded.subject": "An API key was created at {app}",
  "apiKeyAdded.lead":
    "{hasLabel, select, yes {An API key “{label}”} other {An API key}} was created {owner, select, organization {for an organization} other {for your account}} at {app}, by {creator, select, admin {an administrator} other {{origin}}}. {opensSessions, select, yes {A program that has the key can act as you.} other {Delete keys that nobody needs any more.}}",
  "apiKeyAdded.footer":
    "If you did not expect this, somebody else may have access to your account: delete the key at {app}, and change your password.",
  "passkeyRemoved.subject": "A passkey was removed from your account at {app}",
  "passkeyRemoved.lead":
    "{hasLabel, select, yes {A passkey “{label}”} other {A passkey}} was removed from your account at {app}. It does not sign in any more.",
  "passkeyRemoved.footer":
    "If you did not ask for this, somebody else may have access to your account: change your password at {app}, and check your passkeys.",
  "phoneCode.subject": "Code for {app}",
  "phoneCode.phone-number": "Your code for {app} is {code}. Do not tell it to anybody.",
  "phoneCode.phone-password-reset":
    "Your code to set a new password for {app} is {code}. Do not tell it to anybody.",
  "phoneNumberChanged.subject": "The phone number of your account at {app} was changed",
  "phoneNumberChanged.lead":
    "{change, select, added {A phone number was set for your account at {app}. It signs in to your account from now on.} removed {The phone number of your account at {app} was removed. It does not sign in any more.} other {Somebody else has proven that they receive text messages at the phone number of your account at {app}. You had not used it for a long time, so it was removed from your account.}}",
  "phoneNumberChanged.footer":
    "If you did not expect this, somebody else may have access to your account: check your phone number at {app}, and change your password.",
  "passkeyRefused.subject": "A sign-in by passkey at {app} was refused",
  "passkeyRefused.lead":
    "A sign-in to your account at {app} was refused, because {hasLabel, select, yes {the passkey “{label}”} other {the passkey}} may have been copied.",
  "passkeyRefused.footer":
    "Remove this passkey at {app}, and add a new one. If the sign-in was not yours, somebody else may have a copy of the passkey.",
} as const;
