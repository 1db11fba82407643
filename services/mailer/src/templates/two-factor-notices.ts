import type { EventData } from "@latchkey/contracts";
import { type Mail, noticeMail, timeText } from "./mail.ts";

/** Notifies the user that the second factor was turned on. */
export const twoFactorEnabledMail = (
  appName: string,
  { name }: EventData<"two-factor.enabled">,
): Mail =>
  noticeMail({
    subject: `Your second factor at ${appName} was turned on`,
    name,
    lead: `The second factor of your account at ${appName} was turned on. A sign-in needs a code from now on.`,
    footer: `If this was not you, somebody else has access to your account: change your password at ${appName}, and contact its support.`,
  });

/** Notifies the user that the second factor was turned off. */
export const twoFactorDisabledMail = (
  appName: string,
  { name }: EventData<"two-factor.disabled">,
): Mail =>
  noticeMail({
    subject: `Your second factor at ${appName} was turned off`,
    name,
    lead: `The second factor of your account at ${appName} was turned off. A sign-in needs no code any more.`,
    footer: `If this was not you, somebody else has access to your account: change your password at ${appName}, and turn the second factor on again.`,
  });

/** Notifies the user that an admin removed the second factor. */
export const twoFactorResetMail = (
  appName: string,
  { name }: EventData<"two-factor.reset">,
): Mail =>
  noticeMail({
    subject: `Your second factor at ${appName} was removed`,
    name,
    lead: `An administrator of ${appName} removed the second factor of your account. All devices were signed out.`,
    footer: `Sign in at ${appName}, and set up a second factor again. If you did not ask for this, change your password and contact the support of ${appName}.`,
  });

/** Notifies the user that wrong codes locked the second factor. */
export const twoFactorLockedMail = (
  appName: string,
  { name, lockedUntil }: EventData<"two-factor.locked">,
): Mail =>
  noticeMail({
    subject: `Your second factor at ${appName} is locked`,
    name,
    lead: `Too many wrong codes were entered for the second factor of your account at ${appName}. It is locked until ${timeText(lockedUntil)}.`,
    footer: `If this was not you, somebody else may know your password: change your password at ${appName}. Wrong codes sign in nobody.`,
  });

/** Notifies the user that a second factor will be required. */
export const twoFactorRequiredMail = (
  appName: string,
  { name, requiredFrom }: EventData<"two-factor.required">,
): Mail =>
  noticeMail({
    subject: `Set up a second factor for ${appName}`,
    name,
    lead: `Your account at ${appName} needs a second factor from ${timeText(requiredFrom)} on. Set it up before that time, otherwise you set it up at your next sign-in.`,
    footer: `Open ${appName} as you usually do: this mail contains no link, and nobody at ${appName} will ask you for a code.`,
  });
